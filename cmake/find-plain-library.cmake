# What a Find file does for a library without a package file of its own: makes NAME::NAME of libNAME and NAME.h.
include(FindPackageHandleStandardArgs)
macro(inca_find_plain_library name)
  string(TOUPPER ${name} upper)
  find_library(${upper}_LIBRARY ${name})
  find_path(${upper}_INCLUDE_DIR ${name}.h)
  mark_as_advanced(${upper}_LIBRARY ${upper}_INCLUDE_DIR)
  find_package_handle_standard_args(${name} REQUIRED_VARS ${upper}_LIBRARY ${upper}_INCLUDE_DIR)
  if(${name}_FOUND AND NOT TARGET ${name}::${name})
    add_library(${name}::${name} UNKNOWN IMPORTED)
    set_target_properties(
      ${name}::${name} PROPERTIES IMPORTED_LOCATION ${${upper}_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${${upper}_INCLUDE_DIR}
    )
  endif()
endmacro()
