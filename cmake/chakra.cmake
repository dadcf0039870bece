# The messages of Chakra's files, as protoc makes classes of them: a library of its own, as the compiler's
# warnings are no concern of generated sources.
set(inca_chakra ${CMAKE_CURRENT_BINARY_DIR}/chakra)
file(MAKE_DIRECTORY ${inca_chakra})
add_custom_command(
  OUTPUT ${inca_chakra}/et_def.pb.cc ${inca_chakra}/et_def.pb.h
  COMMAND protobuf::protoc --cpp_out=${inca_chakra} --proto_path=${CMAKE_CURRENT_SOURCE_DIR}/src/import
          et_def.proto
  DEPENDS src/import/et_def.proto
)
add_library(inca-chakra STATIC ${inca_chakra}/et_def.pb.cc)
set_target_properties(inca-chakra PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_include_directories(inca-chakra SYSTEM PUBLIC ${inca_chakra})
target_compile_options(inca-chakra PRIVATE -w)
target_link_libraries(inca-chakra PUBLIC protobuf::libprotobuf-lite)
