# Inside an ns-3 tree, as contrib/inca: the module is built always, its tests where GoogleTest is
# found, the program where its libraries are.
set(inca_module_sources)
foreach(layer IN LISTS inca_module_layers)
  list(APPEND inca_module_sources ${inca_${layer}_sources})
endforeach()
find_package(nlohmann_json REQUIRED) # traces may come with safetensors files, whose headers are JSON
include(cmake/host-codecs.cmake)
find_package(GTest QUIET)
find_package(fmt QUIET)
find_package(CLI11 QUIET)
find_package(tomlplusplus QUIET)
find_package(SQLite3 QUIET)
find_package(Boost QUIET)
find_package(ZLIB QUIET)
find_package(Eigen3 QUIET)
find_package(Protobuf QUIET)
set(inca_main_library) # examples ask for it
if(fmt_FOUND AND CLI11_FOUND AND tomlplusplus_FOUND AND SQLite3_FOUND AND Boost_FOUND
   AND Protobuf_FOUND AND ZLIB_FOUND AND Eigen3_FOUND
)
  set(inca_main_library inca-main)
else()
  message(STATUS "inca: fmt, CLI11, toml++, SQLite, Boost, Protobuf, zlib or Eigen not found: its program is not built")
endif()
set(inca_drop_in_tests)
if(GTest_FOUND)
  foreach(layer IN LISTS inca_module_layers)
    list(APPEND inca_drop_in_tests ${inca_${layer}_tests})
  endforeach()
  list(APPEND inca_drop_in_tests test/support/ns3-bridge-test-suite.cc)
else()
  message(STATUS "inca: GoogleTest not found, so its tests are not built")
endif()

get_filename_component(inca_real_build_tree ${CMAKE_OUTPUT_DIRECTORY} REALPATH) # as a program sees its own path
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/generated/inca-version.h
     "#define INCA_VERSION \"${inca_version}\"\n"
     "#define INCA_NS3_VERSION \"${NS3_VER}\"\n"
     "#define INCA_SOURCE_TRACES \"${CMAKE_CURRENT_SOURCE_DIR}/traces\"\n"
     "#define INCA_BUILD_TREE \"${inca_real_build_tree}\"\n"
)

file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/src ${CMAKE_CURRENT_BINARY_DIR}/generated/inca SYMBOLIC)
build_lib(
  LIBNAME inca
  SOURCE_FILES ${inca_module_sources}
  HEADER_FILES ${inca_public_headers}
  LIBRARIES_TO_LINK ${inca_ns3_libraries} nlohmann_json::nlohmann_json Snappy::snappy ${INCA_ZFP_LIBRARY}
  TEST_SOURCES ${inca_drop_in_tests}
)
# ${libinca}, not inca: before ns-3.43 the target was called libinca
target_include_directories(
  ${libinca}
  PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/src>
         $<BUILD_INTERFACE:${CMAKE_CURRENT_BINARY_DIR}/generated>
         $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/inca>
         $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/inca/inca> # ns-3 installs inca.h as it is
)
if(TARGET ${libinca}-obj) # up to ns-3.37 or so, what is compiled is a target of its own
  target_include_directories(
    ${libinca}-obj PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src ${CMAKE_CURRENT_BINARY_DIR}/generated
  )
endif()
foreach(target ${libinca} ${libinca}-obj)
  if(TARGET ${target})
    # same input, same row: no fused or reordered arithmetic
    target_compile_options(${target} PRIVATE -ffp-contract=off -fno-fast-math)
  endif()
endforeach()
include(cmake/install-headers.cmake)
install(FILES tools/wireshark/inca.lua DESTINATION ${CMAKE_INSTALL_DATADIR}/inca/wireshark)
install(
  DIRECTORY traces/
  DESTINATION ${CMAKE_INSTALL_DATADIR}/inca/traces
  FILES_MATCHING
  PATTERN "*.csv"
  PATTERN "source" EXCLUDE
)
if(TARGET ${libinca}-test)
  target_link_libraries(${libinca}-test GTest::gmock GTest::gtest)
  target_include_directories(${libinca}-test PRIVATE test)
  target_compile_definitions(
    ${libinca}-test PRIVATE INCA_SOURCE_DIR="${CMAKE_CURRENT_SOURCE_DIR}"
  )
endif()

# What users link for inca::Main is no ns-3 module: a library of its own, with the module below it.
if(inca_main_library)
  include(cmake/report-page.cmake)
  include(cmake/chakra.cmake)
  set(inca_main_sources ${inca_no_mpi_source})
  foreach(layer IN LISTS inca_main_layers)
    list(APPEND inca_main_sources ${inca_${layer}_sources})
  endforeach()
  add_library(inca-main SHARED ${inca_main_sources})
  target_link_libraries(
    inca-main PUBLIC ${libinca} PRIVATE fmt::fmt CLI11::CLI11 tomlplusplus::tomlplusplus
                                        nlohmann_json::nlohmann_json SQLite::SQLite3 Boost::headers ZLIB::ZLIB Eigen3::Eigen
                                        inca-chakra
  )
  target_compile_options(inca-main PRIVATE -ffp-contract=off -fno-fast-math)
  install(TARGETS inca-main LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  build_exec(
    EXECNAME inca-program # the target inca is the library
    SOURCE_FILES src/cli/main.cc
    LIBRARIES_TO_LINK inca-main ${libinca}
    EXECUTABLE_DIRECTORY_PATH ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/contrib/inca
  )
endif()
