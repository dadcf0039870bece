# Writes a C++ source that holds files as texts: PageFiles() of report/page-files.h. A file whose folder has a
# SHA256SUMS must be the one that was published.
# usage: cmake -D FILES=<paths> -D OUTPUT=<source> -P embed-page.cmake
cmake_minimum_required(VERSION 3.20)

function(check_published file)
  get_filename_component(folder ${file} DIRECTORY)
  get_filename_component(name ${file} NAME)
  if(EXISTS ${folder}/SHA256SUMS)
    file(SHA256 ${file} sum)
    file(STRINGS ${folder}/SHA256SUMS lines)
    if(NOT "${sum}  ${name}" IN_LIST lines)
      message(FATAL_ERROR "${file} is not what ${folder}/SHA256SUMS says: ${sum}")
    endif()
  endif()
endfunction()

set(texts)
foreach(file IN LISTS FILES)
  check_published(${file})
  get_filename_component(name ${file} NAME)
  file(READ ${file} text)
  string(FIND "${text}" ")inca\"" end)
  if(NOT end EQUAL -1)
    message(FATAL_ERROR "${file}: holds what would end its text: )inca\"")
  endif()
  string(APPEND texts "        {\"${name}\", R\"inca(${text})inca\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"report/page-files.h\"\n\nnamespace inca\n{\n\nconst std::vector<PageFile>&\n"
     "PageFiles()\n{\n    static const std::vector<PageFile> files{\n${texts}    };\n    return files;\n}\n\n"
     "} // namespace inca\n")
