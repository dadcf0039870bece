# zfp's own package file asks for OpenMP in C.
include(${CMAKE_CURRENT_LIST_DIR}/find-plain-library.cmake)
inca_find_plain_library(zfp)
