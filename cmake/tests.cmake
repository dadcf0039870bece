# One GoogleTest program per folder of test/, so that a change builds only what it can break. ctest starts each
# of them a few times, with another part of its tests each time: a process per test would load ns-3 thousands of times.
find_package(GTest REQUIRED)
set(inca_test_shards 4)

# inca_test(<folder> <layers it needs...>): the programs share the precompiled header of the first, and their own code is
# not optimised, which takes longer than it saves; what they test is. With INCA_UNITY a folder's tests are compiled at once,
# where a fixture in an unnamed namespace would be warned of, as if it stood in a header.
function(inca_test folder)
  if(NOT inca_${folder}_tests)
    return()
  endif()
  add_executable(inca-test-${folder} ${inca_${folder}_tests})
  target_include_directories(inca-test-${folder} PRIVATE ${PROJECT_SOURCE_DIR}/test)
  target_compile_definitions(inca-test-${folder} PRIVATE INCA_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_compile_options(inca-test-${folder} PRIVATE $<$<CONFIG:Release>:-O0>)
  if(INCA_UNITY)
    set_target_properties(inca-test-${folder} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
    target_compile_options(inca-test-${folder} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
  if(folder STREQUAL "base")
    target_precompile_headers(inca-test-base PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
  else()
    target_precompile_headers(inca-test-${folder} REUSE_FROM inca-test-base)
  endif()
  foreach(layer IN LISTS ARGN)
    if(TARGET inca-${layer})
      target_link_libraries(inca-test-${folder} PRIVATE inca-${layer})
    endif()
  endforeach()
  target_link_libraries(inca-test-${folder} PRIVATE inca-flags GTest::gmock GTest::gtest_main)
  math(EXPR last "${inca_test_shards} - 1")
  foreach(shard RANGE ${last})
    add_test(NAME ${folder}.${shard} COMMAND inca-test-${folder})
    set_tests_properties(${folder}.${shard} PROPERTIES
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${inca_test_shards};GTEST_SHARD_INDEX=${shard}")
  endforeach()
endfunction()

inca_test(base base)
inca_test(trace base trace)
inca_test(codec base codec)
inca_test(topology base topology)
inca_test(exchange base exchange)
inca_test(job base trace codec exchange job)
inca_test(scenario base trace codec topology exchange job scenario)
inca_test(plan base trace codec topology exchange scenario job plan)
inca_test(values ${inca_module_layers} scenario plan values record experiment)
target_link_libraries(inca-test-values PRIVATE nlohmann_json::nlohmann_json)
# devices, transports and switches that add are driven in small networks, which helpers build
inca_test(device ${inca_module_layers})
inca_test(transport ${inca_module_layers})
inca_test(aggregation ${inca_module_layers})
inca_test(rank base codec topology exchange job device transport aggregation rank)
inca_test(helper ${inca_module_layers})
inca_test(record base record)
inca_test(import base trace import)
inca_test(calibration base calibration)
inca_test(export base trace codec topology exchange scenario job plan import export)
inca_test(report base trace record report)
inca_test(experiment ${inca_module_layers} scenario plan record experiment)
inca_test(sweep ${inca_module_layers} scenario plan record experiment sweep)
inca_test(accuracy ${inca_module_layers} scenario plan values record experiment report sweep accuracy)
inca_test(validation ${inca_module_layers} scenario plan record experiment report sweep validation)
if(MPI_CXX_FOUND)
  list(APPEND inca_cli_tests ${inca_mpi_tests})
endif()
inca_test(cli ${inca_layers})
target_compile_definitions(inca-test-cli PRIVATE INCA_PROGRAM="$<TARGET_FILE:inca-program>"
                                                 INCA_MPIRUN="${MPIEXEC_EXECUTABLE}")
add_dependencies(inca-test-cli inca-program)

# -- every example is a test ------------------------------------------------------------------------
foreach(example IN LISTS inca_examples)
  add_test(NAME example.${example} COMMAND ${example})
endforeach()
file(GLOB_RECURSE scenarios CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/examples
     ${PROJECT_SOURCE_DIR}/examples/*.toml
)
foreach(scenario IN LISTS scenarios)
  set(program inca-program)
  if(scenario MATCHES "^extending/") # these name rows that only this program has
    set(program my-inca)
  endif()
  add_test(NAME example.${scenario} COMMAND ${program} run ${PROJECT_SOURCE_DIR}/examples/${scenario})
endforeach()

# -- drawn scenarios (tools/soak runs more) --------------------------------------------------------------
include(cmake/soak.cmake)
add_custom_target(inca-soak-built ALL DEPENDS inca-soak)
add_test(NAME soak COMMAND inca-soak 1000)
set_tests_properties(soak PROPERTIES LABELS slow)

# -- each fuzz target for a while, from its corpus (tools/fuzz runs them longer) -----------------------------
set(INCA_FUZZ_PROGRAMS "" CACHE PATH "where the programs of preset fuzz are; empty: they are no tests")
if(INCA_FUZZ_PROGRAMS)
  file(GLOB fuzz_targets CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/test/fuzz
       ${PROJECT_SOURCE_DIR}/test/fuzz/*-fuzz.cc
  )
  foreach(target IN LISTS fuzz_targets)
    string(REPLACE "-fuzz.cc" "" target ${target})
    set(found ${PROJECT_BINARY_DIR}/fuzz/${target})
    file(MAKE_DIRECTORY ${found})
    add_test(NAME fuzz.${target}
             COMMAND ${INCA_FUZZ_PROGRAMS}/inca-fuzz-${target} -seed=1 -max_total_time=5 -timeout=10 -rss_limit_mb=2048
                     -artifact_prefix=${found}- ${found} ${PROJECT_SOURCE_DIR}/test/fuzz/corpus/${target}
    )
    set_tests_properties(fuzz.${target} PROPERTIES LABELS slow)
  endforeach()
  add_test(NAME soak.sanitized COMMAND ${INCA_FUZZ_PROGRAMS}/inca-soak 200)
  set_tests_properties(soak.sanitized PROPERTIES LABELS slow)
endif()

# -- published numbers (docs/validation.md): fails if a judged figure misses; test/validation judges "homomorphic" -------
add_test(NAME validate.inceptionn COMMAND inca-program validate inceptionn)
add_test(NAME validate.switch COMMAND inca-program validate switch --seeds 10)
set_tests_properties(validate.inceptionn validate.switch PROPERTIES LABELS slow)

# -- what holds for the tree as a whole ---------------------------------------------------------------
add_test(NAME layering COMMAND ${CMAKE_COMMAND} -D ROOT=${PROJECT_SOURCE_DIR} -P
                               ${PROJECT_SOURCE_DIR}/test/layering/check-layers.cmake
)

add_test(NAME package COMMAND ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR} -D BUILD=${PROJECT_BINARY_DIR}
                              -D WORK=${PROJECT_BINARY_DIR}/test-package -D CXX=${CMAKE_CXX_COMPILER}
                              -P ${PROJECT_SOURCE_DIR}/test/package/check-package.cmake
)
set_tests_properties(package PROPERTIES LABELS slow)

if(INCA_HELP2MAN)
  add_test(NAME manual COMMAND bash ${PROJECT_SOURCE_DIR}/test/package/check-manual.bash $<TARGET_FILE:inca-program>
                               ${PROJECT_BINARY_DIR}/man
  )
endif()
add_test(NAME completion COMMAND bash ${PROJECT_SOURCE_DIR}/test/package/check-completion.bash
                                 $<TARGET_FILE:inca-program> ${PROJECT_SOURCE_DIR}/tools/inca-completion.bash
)
# -- sources look as ns-3's do, by the one version of clang-format whose opinion counts -----------------------
find_program(inca_clang_format NAMES clang-format-14 clang-format)
set(inca_clang_format_says)
if(inca_clang_format)
  execute_process(COMMAND ${inca_clang_format} --version OUTPUT_VARIABLE inca_clang_format_says)
endif()
if(inca_clang_format_says MATCHES "version 14[.]")
  add_test(NAME format COMMAND bash -c "find src test examples -name '*.cc' -o -name '*.h' | xargs '${inca_clang_format}' --dry-run -Werror"
           WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  )
endif()

# -- the pages: what they link to, and the reference, which the program's tables make ---------------------
add_executable(inca-list-attributes test/pages/list-attributes.cc)
foreach(layer IN LISTS inca_module_layers ITEMS scenario)
  target_link_libraries(inca-list-attributes PRIVATE inca-${layer})
endforeach()
target_link_libraries(inca-list-attributes PRIVATE inca-flags)
add_test(NAME pages.reference COMMAND ${PROJECT_SOURCE_DIR}/tools/reference --check)
set_tests_properties(pages.reference PROPERTIES
  ENVIRONMENT "INCA=$<TARGET_FILE:inca-program>;INCA_ATTRIBUTES=$<TARGET_FILE:inca-list-attributes>")
add_test(NAME pages.links COMMAND ${PROJECT_SOURCE_DIR}/test/pages/check-links.py)

# -- the pictures of the documentation, and the rows behind them -----------------------------------------
add_test(NAME pictures COMMAND ${PROJECT_SOURCE_DIR}/tools/pictures --check)
set_tests_properties(pictures PROPERTIES ENVIRONMENT INCA=$<TARGET_FILE:inca-program>)

# -- a training in PyTorch, recorded, measured and replayed; by Debian's Python, which has Debian's PyTorch ------
find_program(inca_debian_python NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
add_test(NAME block-formats COMMAND ${inca_debian_python}
                                    ${PROJECT_SOURCE_DIR}/test/codec/block-reference.py
                                    $<TARGET_FILE:inca-program> 20)
add_test(NAME torch COMMAND ${inca_debian_python} ${PROJECT_SOURCE_DIR}/test/torch/inca-torch-test.py
                            ${PROJECT_SOURCE_DIR} $<TARGET_FILE:inca-program>
)
add_test(NAME accuracy COMMAND ${inca_debian_python} ${PROJECT_SOURCE_DIR}/test/torch/inca-accuracy-test.py
                               ${PROJECT_SOURCE_DIR} $<TARGET_FILE:inca-values-library>
)
set_tests_properties(torch accuracy PROPERTIES LABELS slow SKIP_RETURN_CODE 77)

find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  file(GLOB_RECURSE pages CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/docs/*.md)
  list(FILTER pages EXCLUDE REGEX "^docs/reference/")
  foreach(page IN LISTS pages ITEMS README.md)
    string(REGEX REPLACE "^docs/|[.]md$" "" name ${page})
    string(REPLACE "/" "." name ${name})
    add_test(NAME console.${name}
             COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/test/pages/run-console.py ${PROJECT_SOURCE_DIR}
                     ${PROJECT_BINARY_DIR} ${PROJECT_BINARY_DIR}/console/${name} ${PROJECT_SOURCE_DIR}/${page}
    )
    set_tests_properties(console.${name} PROPERTIES LABELS slow)
  endforeach()
  add_test(NAME messages
           COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/test/pages/run-console.py ${PROJECT_SOURCE_DIR}
                   ${PROJECT_BINARY_DIR} ${PROJECT_BINARY_DIR}/console/messages
                   ${PROJECT_SOURCE_DIR}/test/golden/messages.md
  )
  add_test(NAME console-figures COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/test/pages/figures-test.py)
  add_test(NAME browser.report
           COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/test/browser/check-report.py $<TARGET_FILE:inca-program>
                   ${PROJECT_BINARY_DIR}/test-browser
  )
  set_tests_properties(browser.report PROPERTIES LABELS slow)
  add_test(NAME traces-generated COMMAND Python3::Interpreter
                                         ${PROJECT_SOURCE_DIR}/tools/make-traces.py --check
  )
endif()
