# inca-soak: drawn scenarios, of which what must hold of all is asked (test/soak/soak.cc); tools/soak runs it.
add_executable(inca-soak EXCLUDE_FROM_ALL test/soak/soak.cc)
foreach(layer IN LISTS inca_module_layers ITEMS scenario plan record experiment)
  target_link_libraries(inca-soak PRIVATE inca-${layer})
endforeach()
