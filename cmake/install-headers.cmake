# Installs src's headers as include/inca/inca/<folder>/<name>.h, where they include each other as "inca/<folder>/<name>.h":
# of what is on the path of who links INCA, nothing but inca/ and ns3/ is INCA's.
set(inca_header_copies ${CMAKE_CURRENT_BINARY_DIR}/installed-headers)
install(CODE "
  file(REMOVE_RECURSE \"${inca_header_copies}\")
  file(GLOB_RECURSE headers RELATIVE \"${CMAKE_CURRENT_SOURCE_DIR}/src\" \"${CMAKE_CURRENT_SOURCE_DIR}/src/*.h\")
  foreach(header IN LISTS headers)
    file(READ \"${CMAKE_CURRENT_SOURCE_DIR}/src/\${header}\" text)
    string(REGEX REPLACE \"#include \\\"([a-z]+/)\" \"#include \\\"inca/\\\\1\" text \"\${text}\")
    string(REPLACE \"\\\"inca/ns3/\" \"\\\"ns3/\" text \"\${text}\")
    file(WRITE \"${inca_header_copies}/\${header}\" \"\${text}\")
  endforeach()
")
install(
  DIRECTORY ${inca_header_copies}/
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/inca/inca
  FILES_MATCHING
  PATTERN "*.h"
  PATTERN "cli" EXCLUDE
  PATTERN "page" EXCLUDE # parts of a report, which are in the program
  PATTERN "uplot" EXCLUDE
)
