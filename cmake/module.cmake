# What users build against: one shared library of all that a simulation needs, the examples and
# what is dropped into scratch/, and cmake --install with a CMake package.
include(GNUInstallDirs)

set(inca_module_objects)
foreach(layer IN LISTS inca_module_layers)
  list(APPEND inca_module_objects $<TARGET_OBJECTS:inca-${layer}>)
endforeach()

add_library(inca-module SHARED ${inca_module_objects})
set_target_properties(
  inca-module PROPERTIES OUTPUT_NAME inca EXPORT_NAME inca VERSION ${PROJECT_VERSION}
                         SOVERSION ${PROJECT_VERSION_MAJOR}
)
target_include_directories(
  inca-module
  PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
         $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/inca>
)
link_ns3(inca-module PUBLIC)
add_library(inca::inca ALIAS inca-module)

# The ns-3 spelling, so that examples/CMakeLists.txt serves both builds.
function(build_lib_example)
  cmake_parse_arguments(EX "" "NAME" "SOURCE_FILES;LIBRARIES_TO_LINK" ${ARGN})
  add_executable(${EX_NAME} ${EX_SOURCE_FILES})
  target_link_libraries(${EX_NAME} PRIVATE inca::inca)
  set_target_properties(${EX_NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
endfunction()

add_subdirectory(examples)
get_directory_property(inca_examples DIRECTORY examples DEFINITION inca_examples)

# Every .cc dropped into scratch/ becomes a program of its name in build/<preset>/scratch.
file(GLOB scratch_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scratch/*.cc)
foreach(file IN LISTS scratch_files)
  get_filename_component(name ${file} NAME_WE)
  add_executable(scratch-${name} ${file})
  target_link_libraries(scratch-${name} PRIVATE inca::inca)
  set_target_properties(
    scratch-${name} PROPERTIES OUTPUT_NAME ${name}
                               RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/scratch
  )
endforeach()

# -- cmake --install -------------------------------------------------------------------------------
install(TARGETS inca-program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS inca-module EXPORT incaTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(
  DIRECTORY src/
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/inca
  FILES_MATCHING
  PATTERN "*.h"
  PATTERN "cli" EXCLUDE
)
install(FILES ${PROJECT_BINARY_DIR}/include/ns3/inca-module.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/inca/ns3
)
install(
  DIRECTORY traces/
  DESTINATION ${CMAKE_INSTALL_DATADIR}/inca/traces
  FILES_MATCHING
  PATTERN "*.csv"
  PATTERN "source" EXCLUDE
)
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/inca/examples)
install(EXPORT incaTargets NAMESPACE inca:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/inca)

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
