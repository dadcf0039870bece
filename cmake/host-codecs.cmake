# The libraries of codecs that run on hosts.
find_package(Snappy REQUIRED)
find_library(INCA_ZFP_LIBRARY zfp REQUIRED) # zfp's own package file asks for OpenMP in C
