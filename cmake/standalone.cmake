# The standalone build: one OBJECT library per folder (an archive would drop TypeId registrations),
# the program, the tests, and one shared library for cmake --install.
set(CMAKE_CXX_STANDARD 17 CACHE STRING "the standard the installed ns-3 was built with, or later")
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
option(INCA_WARNINGS_AS_ERRORS "a warning fails the build" ON)
option(INCA_UNITY "compile each folder of src at once: quick from scratch, slow after a change" OFF)
option(INCA_BENCHMARKS "build test/bench (needs Google Benchmark)" OFF)
option(INCA_FUZZ "offer the fuzz targets of test/fuzz (needs clang)" OFF)

find_package(ns3 REQUIRED) # no version: ns-3 declares ExactVersion, so any number but its own fails
if(ns3_VERSION VERSION_LESS 3.37)
  message(FATAL_ERROR "inca needs ns-3.37 or later; found ${ns3_VERSION}")
endif()
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(Boost REQUIRED) # headers: CRC, ICL, Interprocess, Math, UUID
find_package(Eigen3 REQUIRED) # QR
find_package(ZLIB REQUIRED)
find_package(Snappy REQUIRED)
list(APPEND CMAKE_MODULE_PATH ${PROJECT_SOURCE_DIR}/cmake)
find_package(zfp REQUIRED)
find_package(lz4 REQUIRED)
find_package(zstd REQUIRED)
find_package(Protobuf REQUIRED)
option(INCA_MPI "sweeps may be handed out to MPI ranks, where MPI is found" ON)
if(INCA_MPI)
  set(MPI_CXX_SKIP_MPICXX ON)
  find_package(MPI COMPONENTS CXX)
endif()

add_library(inca-flags INTERFACE)
target_include_directories(inca-flags INTERFACE ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/include)
target_compile_options(
  inca-flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor
                       # same input, same row: no fused or reordered arithmetic
                       -ffp-contract=off -fno-fast-math
                       # nobody replaces a function of it at run time, so a file's own may be inlined
                       $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>
)
if(INCA_WARNINGS_AS_ERRORS)
  target_compile_options(inca-flags INTERFACE -Werror)
endif()

# ns-3.43 renamed the imported targets from ns3::libcore to ns3::core.
function(link_ns3 target scope)
  foreach(module core network internet bridge ${ARGN})
    if(TARGET ns3::${module})
      target_link_libraries(${target} ${scope} ns3::${module})
    else()
      target_link_libraries(${target} ${scope} ns3::lib${module})
    endif()
  endforeach()
endfunction()
add_library(inca-ns3 INTERFACE)
link_ns3(inca-ns3 INTERFACE)

# who links INCA sees its headers below ns3/ and inca/ only
file(WRITE ${PROJECT_BINARY_DIR}/include/ns3/inca-module.h "#include \"inca/inca.h\"\n")
file(WRITE ${PROJECT_BINARY_DIR}/include/ns3/inca-main.h "#include \"inca/inca-main.h\"\n")
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/include/inca SYMBOLIC)
get_filename_component(inca_real_build_tree ${PROJECT_BINARY_DIR} REALPATH) # as a program sees its own path
file(
  WRITE ${PROJECT_BINARY_DIR}/include/inca-version.h
  "#define INCA_VERSION \"${PROJECT_VERSION}\"\n"
  "#define INCA_NS3_VERSION \"${ns3_VERSION}\"\n"
  "#define INCA_SOURCE_TRACES \"${PROJECT_SOURCE_DIR}/traces\"\n"
  "#define INCA_BUILD_TREE \"${inca_real_build_tree}\"\n"
)

# What runs once or twice a run is built for a short build: these folders read, check, write and print.
set(inca_cold_layers scenario record calibration export report sweep accuracy validation cli)

# inca_layer(<folder> [libraries...])
function(inca_layer folder)
  if(NOT inca_${folder}_sources)
    return()
  endif()
  add_library(inca-${folder} OBJECT ${inca_${folder}_sources})
  target_link_libraries(inca-${folder} PUBLIC inca-flags ${ARGN})
  # the unique identifier: ns-3's macro for logs defines a g_log in every source that uses it
  set_target_properties(inca-${folder} PROPERTIES UNITY_BUILD ${INCA_UNITY} UNITY_BUILD_BATCH_SIZE 0
                                                  UNITY_BUILD_UNIQUE_ID g_log)
  if(folder IN_LIST inca_cold_layers)
    target_compile_options(inca-${folder} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  set_property(GLOBAL APPEND PROPERTY inca_built_layers inca-${folder})
endfunction()

inca_layer(base)
inca_layer(trace nlohmann_json::nlohmann_json Boost::headers)
inca_layer(codec Snappy::snappy zfp::zfp lz4::lz4 zstd::libzstd_shared ZLIB::ZLIB)
inca_layer(topology)
inca_layer(exchange)
inca_layer(scenario tomlplusplus::tomlplusplus fmt::fmt)
inca_layer(job)
inca_layer(plan fmt::fmt)
inca_layer(values fmt::fmt nlohmann_json::nlohmann_json)
inca_layer(device inca-ns3)
inca_layer(transport inca-ns3)
inca_layer(aggregation inca-ns3)
inca_layer(rank inca-ns3)
inca_layer(helper inca-ns3)
inca_layer(record nlohmann_json::nlohmann_json fmt::fmt SQLite::SQLite3 Boost::headers)
include(cmake/chakra.cmake)
inca_layer(import nlohmann_json::nlohmann_json fmt::fmt Boost::headers ZLIB::ZLIB inca-chakra)
# GCC 12 takes an interval set of Boost that is returned for one that dangles
target_compile_options(inca-import PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-dangling-pointer>)
inca_layer(calibration nlohmann_json::nlohmann_json Eigen3::Eigen)
inca_layer(export fmt::fmt inca-chakra)
inca_layer(experiment inca-ns3 fmt::fmt Boost::headers)
include(cmake/report-page.cmake)
inca_layer(report fmt::fmt nlohmann_json::nlohmann_json Boost::headers)
if(MPI_CXX_FOUND)
  list(APPEND inca_sweep_sources ${inca_mpi_source})
  inca_layer(sweep fmt::fmt Boost::headers MPI::MPI_CXX)
else()
  list(APPEND inca_sweep_sources ${inca_no_mpi_source})
  inca_layer(sweep fmt::fmt Boost::headers)
endif()
inca_layer(accuracy fmt::fmt Boost::headers)
inca_layer(validation fmt::fmt nlohmann_json::nlohmann_json)
get_property(inca_built_layers GLOBAL PROPERTY inca_built_layers)

inca_layer(cli CLI11::CLI11 fmt::fmt nlohmann_json::nlohmann_json)
add_executable(inca-program src/cli/main.cc)
set_target_properties(inca-program PROPERTIES OUTPUT_NAME inca)
target_link_libraries(inca-program PRIVATE inca-cli ${inca_built_layers})

include(cmake/module.cmake)
include(cmake/package.cmake)

include(CTest)
if(BUILD_TESTING)
  include(cmake/tests.cmake)
endif()

if(INCA_FUZZ)
  include(cmake/fuzz.cmake)
endif()

if(INCA_BENCHMARKS)
  include(cmake/bench.cmake)
endif()
