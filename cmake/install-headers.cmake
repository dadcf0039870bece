# Installs src's headers as include/inca/inca/<folder>/<name>.h, as which they include each other: of what is on the path of who
# links INCA, nothing but inca/ and ns3/ is INCA's.
install(
  DIRECTORY src/
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/inca/inca
  FILES_MATCHING
  PATTERN "*.h"
  PATTERN "cli" EXCLUDE
  PATTERN "page" EXCLUDE # parts of a report, which are in the program
  PATTERN "uplot" EXCLUDE
)
