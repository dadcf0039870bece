# inca-soak: drawn scenarios, of which what must hold of all is asked (test/soak/soak.cc); tools/soak runs it.
add_executable(inca-soak EXCLUDE_FROM_ALL test/soak/soak.cc test/experiment/precision.cc test/support/key-texts.cc)
target_include_directories(inca-soak PRIVATE ${PROJECT_SOURCE_DIR}/test)
target_compile_definitions(inca-soak PRIVATE INCA_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
foreach(layer IN LISTS inca_module_layers ITEMS scenario plan record experiment)
  target_link_libraries(inca-soak PRIVATE inca-${layer})
endforeach()
