# Inside an ns-3 tree, as contrib/inca: the module, its tests where GoogleTest is found, and the program where its
# libraries are. Where a library of the module is missing, ns-3 lists it among those that cannot be built, and goes on.
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_SOURCE_DIR}/cmake)

# inca_find(<list> <package> <target> <Debian's packages>...): appends Debian's packages to the list if the target is not found
macro(inca_find missing package target)
  find_package(${package} QUIET)
  if(NOT TARGET ${target})
    list(APPEND ${missing} ${ARGN})
  endif()
endmacro()

# inca_compile(<target>): how a target's sources are compiled; -DINCA_UNITY=ON and -DINCA_WARNINGS_AS_ERRORS=ON mean what they
# mean in the standalone build
function(inca_compile target)
  target_compile_options(${target} PRIVATE -ffp-contract=off -fno-fast-math) # same input, same row
  if(INCA_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(INCA_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP UNITY_BUILD_UNIQUE_ID g_log)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()
foreach(layer IN LISTS inca_layers)
  set_source_files_properties(${inca_${layer}_sources} PROPERTIES UNITY_GROUP ${layer})
  if(inca_${layer}_tests)
    set_source_files_properties(${inca_${layer}_tests} PROPERTIES UNITY_GROUP test-${layer})
  endif()
endforeach()

# inca_leave_out(<what> <Debian's packages>...): says what is not built, and why
function(inca_leave_out what)
  list(JOIN ARGN " " packages)
  message(STATUS "inca: ${what} cannot be built; install ${packages}")
endfunction()

set(inca_module_lacks)
inca_find(inca_module_lacks nlohmann_json nlohmann_json::nlohmann_json nlohmann-json3-dev) # headers of safetensors files
inca_find(inca_module_lacks Snappy Snappy::snappy libsnappy-dev)
inca_find(inca_module_lacks zfp zfp::zfp libzfp-dev)
inca_find(inca_module_lacks lz4 lz4::lz4 liblz4-dev)
inca_find(inca_module_lacks zstd zstd::libzstd_shared libzstd-dev)
inca_find(inca_module_lacks ZLIB ZLIB::ZLIB zlib1g-dev)
if(inca_module_lacks)
  inca_leave_out("the module" ${inca_module_lacks})
  return()
endif()

set(inca_tests_lack)
inca_find(inca_tests_lack GTest GTest::gmock libgtest-dev libgmock-dev)
set(inca_drop_in_tests)
if(inca_tests_lack)
  inca_leave_out("its tests" ${inca_tests_lack})
else()
  foreach(layer IN LISTS inca_module_layers)
    list(APPEND inca_drop_in_tests ${inca_${layer}_tests})
  endforeach()
  list(APPEND inca_drop_in_tests test/support/ns3-bridge-test-suite.cc)
endif()

set(inca_program_lacks)
inca_find(inca_program_lacks fmt fmt::fmt libfmt-dev)
inca_find(inca_program_lacks CLI11 CLI11::CLI11 libcli11-dev)
inca_find(inca_program_lacks tomlplusplus tomlplusplus::tomlplusplus libtomlplusplus-dev)
inca_find(inca_program_lacks SQLite3 SQLite::SQLite3 libsqlite3-dev)
inca_find(inca_program_lacks Boost Boost::headers libboost-dev)
inca_find(inca_program_lacks Eigen3 Eigen3::Eigen libeigen3-dev)
inca_find(inca_program_lacks Protobuf protobuf::libprotobuf-lite libprotobuf-dev)
inca_find(inca_program_lacks Protobuf protobuf::protoc protobuf-compiler)
set(inca_main_library) # examples ask for it
if(inca_program_lacks)
  inca_leave_out("its program" ${inca_program_lacks})
else()
  set(inca_main_library inca-main)
endif()

set(inca_module_sources)
foreach(layer IN LISTS inca_module_layers)
  list(APPEND inca_module_sources ${inca_${layer}_sources})
endforeach()

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
  HEADER_FILES src/inca.h
  PRIVATE_HEADER_FILES src/inca-main.h # not of ns3/inca-module.h: who includes it links inca-main
  LIBRARIES_TO_LINK ${inca_ns3_libraries} nlohmann_json::nlohmann_json Snappy::snappy zfp::zfp lz4::lz4
                    zstd::libzstd_shared ZLIB::ZLIB
  TEST_SOURCES ${inca_drop_in_tests}
)
# ${libinca}, not inca: before ns-3.43 the target was called libinca. Who links it sees headers below inca/ and ns3/ only.
target_include_directories(
  ${libinca}
  PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_BINARY_DIR}/generated> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/inca>
)
foreach(target ${libinca} ${libinca}-obj ${libinca}-test) # up to ns-3.37 or so, what is compiled is a target of its own
  if(TARGET ${target})
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src ${CMAKE_CURRENT_BINARY_DIR}/generated)
    inca_compile(${target})
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
  target_include_directories(inca-main PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src)
  inca_compile(inca-main)
  add_library(inca::main ALIAS inca-main) # its name beside an installed INCA
  install(TARGETS inca-main LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  build_exec(
    EXECNAME inca-program # the target inca is the library
    SOURCE_FILES src/cli/main.cc
    LIBRARIES_TO_LINK inca-main ${libinca}
    EXECUTABLE_DIRECTORY_PATH ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/contrib/inca
  )
  target_include_directories(inca-program PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src)
endif()
