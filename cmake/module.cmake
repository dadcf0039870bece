# What users build against: a shared library of all that a simulation needs (inca::inca), another of
# the program around it (inca::main), the examples and what is dropped into scratch/, and
# cmake --install with a CMake package.
include(GNUInstallDirs)

# inca_library(<target> <layers...>): one shared library of their objects; what these need of other
# libraries is no concern of whoever links it
function(inca_library target)
  add_library(${target} SHARED)
  foreach(layer IN LISTS ARGN)
    target_link_libraries(${target} PRIVATE inca-${layer})
  endforeach()
  set_target_properties(
    ${target} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
                         LINKER_LANGUAGE CXX INSTALL_RPATH $ORIGIN
  )
endfunction()

inca_library(inca-module ${inca_module_layers})
set_target_properties(inca-module PROPERTIES OUTPUT_NAME inca EXPORT_NAME inca)
target_include_directories(
  inca-module
  PUBLIC $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
         $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/inca>
)
link_ns3(inca-module PUBLIC)
target_link_libraries(inca-module PRIVATE ${CMAKE_DL_LIBS})
add_library(inca::inca ALIAS inca-module)

inca_library(inca-main ${inca_main_layers})
set_target_properties(inca-main PROPERTIES EXPORT_NAME main)
target_link_libraries(inca-main PUBLIC inca-module)
add_library(inca::main ALIAS inca-main)

# The arithmetic of exchanges for programs in any language (src/values/inca-values.h): only its C functions are seen.
inca_library(inca-values-library base trace codec topology exchange job scenario plan values)
set_target_properties(inca-values-library PROPERTIES OUTPUT_NAME inca-values)
target_link_options(inca-values-library PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/inca-values.map)
target_link_libraries(inca-values-library PRIVATE ${CMAKE_DL_LIBS})

# All modules of the installed ns-3: what a program of a user's may include.
add_library(inca-all-ns3 INTERFACE)
get_property(inca_imported DIRECTORY ${PROJECT_SOURCE_DIR} PROPERTY IMPORTED_TARGETS)
list(FILTER inca_imported INCLUDE REGEX "^ns3::(lib)?[a-z0-9-]+$")
foreach(module IN LISTS inca_imported)
  get_target_property(type ${module} TYPE)
  if(type STREQUAL SHARED_LIBRARY)
    target_link_libraries(inca-all-ns3 INTERFACE ${module})
  endif()
endforeach()

# The ns-3 spelling, so that examples/CMakeLists.txt serves both builds.
function(build_lib_example)
  cmake_parse_arguments(EX "" "NAME" "SOURCE_FILES;LIBRARIES_TO_LINK" ${ARGN})
  add_executable(${EX_NAME} ${EX_SOURCE_FILES})
  target_link_libraries(${EX_NAME} inca-flags inca::inca inca-all-ns3 ${EX_LIBRARIES_TO_LINK})
  set_target_properties(${EX_NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
endfunction()

set(inca_main_library inca-main)
add_subdirectory(examples)
get_directory_property(inca_examples DIRECTORY examples DEFINITION inca_examples)

# Every .cc dropped into scratch/ becomes a program of its name in build/<preset>/scratch.
file(GLOB scratch_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scratch/*.cc)
foreach(file IN LISTS scratch_files)
  get_filename_component(name ${file} NAME_WE)
  add_executable(scratch-${name} ${file})
  target_link_libraries(scratch-${name} PRIVATE inca::main inca-all-ns3)
  set_target_properties(
    scratch-${name} PROPERTIES OUTPUT_NAME ${name}
                               RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/scratch
  )
endforeach()

# -- cmake --install -------------------------------------------------------------------------------
install(TARGETS inca-program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS inca-module inca-main EXPORT incaTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
)
install(TARGETS inca-values-library LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
include(cmake/install-headers.cmake)
install(FILES ${PROJECT_BINARY_DIR}/include/ns3/inca-module.h
              ${PROJECT_BINARY_DIR}/include/ns3/inca-main.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/inca/ns3
)
install(
  DIRECTORY traces/
  DESTINATION ${CMAKE_INSTALL_DATADIR}/inca/traces
  FILES_MATCHING
  PATTERN "*.csv"
  PATTERN "source" EXCLUDE
)
install(
  DIRECTORY examples/
  DESTINATION ${CMAKE_INSTALL_DATADIR}/inca/examples
  PATTERN "*.sweep" EXCLUDE # results of whoever has run them here
)
install(FILES tools/wireshark/inca.lua DESTINATION ${CMAKE_INSTALL_DATADIR}/inca/wireshark)
install(DIRECTORY tools/torch DESTINATION ${CMAKE_INSTALL_DATADIR}/inca FILES_MATCHING PATTERN "*.py")
install(EXPORT incaTargets NAMESPACE inca:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/inca)

# Pages for man(1), made from the help texts; without help2man there are none.
find_program(INCA_HELP2MAN help2man)
if(INCA_HELP2MAN)
  set(inca_manual ${PROJECT_BINARY_DIR}/man)
  add_custom_command(
    OUTPUT ${inca_manual}/inca.1
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${inca_manual}
    COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/tools/manual-pages $<TARGET_FILE:inca-program> ${inca_manual}
            ${inca_version} ${inca_date}
    DEPENDS inca-program tools/manual-pages
    COMMENT "Writing the manual pages"
  )
  add_custom_target(inca-manual ALL DEPENDS ${inca_manual}/inca.1)
  install(DIRECTORY ${inca_manual}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
else()
  message(STATUS "inca: help2man not found, so no manual pages are made")
endif()
install(FILES tools/inca-completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME inca
)
add_custom_target(
  uninstall COMMAND ${CMAKE_COMMAND} -D MANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt -P
                    ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake
)

include(CMakePackageConfigHelpers)
file(WRITE ${PROJECT_BINARY_DIR}/incaConfig.cmake
     "include(CMakeFindDependencyMacro)\nfind_dependency(ns3)\n"
     "include(\${CMAKE_CURRENT_LIST_DIR}/incaTargets.cmake)\n"
)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/incaConfigVersion.cmake COMPATIBILITY SameMinorVersion
)
install(FILES ${PROJECT_BINARY_DIR}/incaConfig.cmake ${PROJECT_BINARY_DIR}/incaConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/inca
)
