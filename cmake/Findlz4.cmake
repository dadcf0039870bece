# lz4 comes without a package file.
include(${CMAKE_CURRENT_LIST_DIR}/find-plain-library.cmake)
inca_find_plain_library(lz4)
