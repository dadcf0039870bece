# The files of report/page and report/uplot become a page in a source of the report layer, so that the program holds them.
set(inca_page_source ${CMAKE_CURRENT_BINARY_DIR}/report-page/page-files.cc)
set(inca_page_inputs ${inca_page_files})
list(TRANSFORM inca_page_inputs PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
add_custom_command(
  OUTPUT ${inca_page_source}
  COMMAND ${CMAKE_COMMAND} -D "FILES=${inca_page_inputs}" -D OUTPUT=${inca_page_source} -P
          ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed-page.cmake
  DEPENDS ${inca_page_inputs} ${CMAKE_CURRENT_SOURCE_DIR}/src/report/uplot/SHA256SUMS
          ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed-page.cmake
  COMMENT "Writing the files of inca report's pages into a source"
  VERBATIM
)
list(APPEND inca_report_sources ${inca_page_source})
