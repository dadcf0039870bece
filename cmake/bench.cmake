# Benchmarks: one Google Benchmark program per file of test/bench; never part of the tests.
find_package(benchmark REQUIRED)

# inca_bench(<name> <layers it needs...>): test/bench/<name>-bench.cc becomes inca-bench-<name>
function(inca_bench name)
  if(NOT EXISTS ${PROJECT_SOURCE_DIR}/test/bench/${name}-bench.cc)
    return()
  endif()
  add_executable(inca-bench-${name} test/bench/${name}-bench.cc)
  foreach(layer IN LISTS ARGN)
    if(TARGET inca-${layer})
      target_link_libraries(inca-bench-${name} PRIVATE inca-${layer})
    endif()
  endforeach()
  target_link_libraries(inca-bench-${name} PRIVATE inca-flags benchmark::benchmark)
endfunction()

inca_bench(codec base codec trace)
inca_bench(network ${inca_module_layers})
if(TARGET inca-bench-network) # measures beside ns-3's own device
  if(TARGET ns3::point-to-point)
    target_link_libraries(inca-bench-network PRIVATE ns3::point-to-point)
  else()
    target_link_libraries(inca-bench-network PRIVATE ns3::libpoint-to-point)
  endif()
endif()
inca_bench(limits ${inca_module_layers} scenario plan record experiment)
if(TARGET inca-bench-limits) # draws what tests draw
  target_sources(inca-bench-limits PRIVATE test/experiment/drawn-scenario.cc)
  target_include_directories(inca-bench-limits PRIVATE ${PROJECT_SOURCE_DIR}/test)
endif()
inca_bench(values ${inca_module_layers} scenario plan values record experiment)
if(TARGET inca-bench-values) # sets keys as tests do
  target_include_directories(inca-bench-values PRIVATE ${PROJECT_SOURCE_DIR}/test)
endif()
