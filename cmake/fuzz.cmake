# Fuzz targets: one libFuzzer program per file of test/fuzz, with a corpus of its own; tools/fuzz runs them all.
add_custom_target(inca-fuzz)

# inca_fuzz(<name> <layers it needs...>): test/fuzz/<name>-fuzz.cc becomes inca-fuzz-<name>
function(inca_fuzz name)
  add_executable(inca-fuzz-${name} EXCLUDE_FROM_ALL test/fuzz/${name}-fuzz.cc)
  target_include_directories(inca-fuzz-${name} PRIVATE ${PROJECT_SOURCE_DIR}/test)
  foreach(layer IN LISTS ARGN)
    target_link_libraries(inca-fuzz-${name} PRIVATE inca-${layer})
  endforeach()
  target_link_options(inca-fuzz-${name} PRIVATE -fsanitize=fuzzer)
  add_dependencies(inca-fuzz inca-fuzz-${name})
endfunction()

# drawn scenarios under the same sanitizers
include(cmake/soak.cmake)
add_dependencies(inca-fuzz inca-soak)

inca_fuzz(units base)
inca_fuzz(scenario base trace codec topology exchange job scenario)
inca_fuzz(settings base trace codec topology exchange job scenario)
inca_fuzz(trace base trace)
inca_fuzz(safetensors base trace)
inca_fuzz(codec base codec)
inca_fuzz(sketch base codec)
inca_fuzz(slot-pool base exchange)
inca_fuzz(csv base trace record)
inca_fuzz(import base trace import)
inca_fuzz(measurement-log base calibration)
inca_fuzz(curve base trace)
target_sources(inca-fuzz-curve PRIVATE src/accuracy/curve.cc src/report/csv-table.cc) # their folders need most others
target_link_libraries(inca-fuzz-curve PRIVATE fmt::fmt)
inca_fuzz(transport base codec exchange device transport)
