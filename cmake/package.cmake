# cpack -G DEB: one Debian package of all that cmake --install installs.
set(CPACK_PACKAGE_NAME inca)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "the authors of INCA")
set(CPACK_PACKAGE_CONTACT "INCA maintainers <inca@example.org>" CACHE STRING "the package's maintainer")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};inca;ALL;/")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "predicts distributed training over networks that compress and add
INCA (In-Network Compression and Aggregation) predicts how long an iteration of
distributed training takes, and how fast gradients are aggregated, when NICs
compress gradients and switches carry or add them. It is an ns-3 module and a
command-line tool that replays per-layer gradient traces over simulated links,
NICs and switches, and writes tables, CSV and plots."
)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS gnuplot-nox)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libns3-dev, cmake")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
file(WRITE ${PROJECT_BINARY_DIR}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/triggers)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_BINARY_DIR}/debian-files.cmake)

configure_file(cmake/debian-files.cmake.in debian-files.cmake @ONLY)
include(CPack)
