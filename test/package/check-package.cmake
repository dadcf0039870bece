# ctest: what is installed is enough. Installs the build tree to an empty prefix, builds
# examples/extending against it, and runs it where it is: its own rows end with the right sums, and all
# traces are the prefix's.
# usage: cmake -D SOURCE=<source tree> -D BUILD=<build tree> -D WORK=<folder that is emptied>
#        -D CXX=<compiler> -P check-package.cmake
cmake_minimum_required(VERSION 3.20)

function(must_run output)
  execute_process(
    COMMAND ${ARGN} WORKING_DIRECTORY ${WORK} RESULT_VARIABLE result OUTPUT_VARIABLE text
    ERROR_VARIABLE text
  )
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ended with ${result}\n${text}")
  endif()
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

function(must_say text pattern)
  if(NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "'${pattern}' is not in:\n${text}")
  endif()
endfunction()

unset(ENV{INCA_TRACES})
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
must_run(none ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
set(example ${WORK}/prefix/share/inca/examples/extending)
must_run(none ${CMAKE_COMMAND} -S ${example} -B ${WORK}/build -D CMAKE_PREFIX_PATH=${WORK}/prefix
         -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_CXX_STANDARD=17
)
must_run(none ${CMAKE_COMMAND} --build ${WORK}/build)

if(NOT EXISTS ${WORK}/prefix/share/inca/wireshark/inca.lua)
  message(FATAL_ERROR "the dissector is not installed")
endif()

# Values travel: a run whose sums were wrong would end with 3, and a difference between replicas shows.
foreach(scenario direct doubling local-sgd one-copy)
  must_run(text ${WORK}/build/my-inca run ${example}/${scenario}.toml)
  must_say("${text}" "largest replica difference  0\n")
endforeach()
must_run(text ${WORK}/build/my-inca list)
foreach(name sparse doubling switch-one-copy rack-row local-sgd)
  must_say("${text}" "\n  ${name} ")
endforeach()

# A trace that only the prefix has is found by both programs.
configure_file(${WORK}/prefix/share/inca/traces/hdc.csv ${WORK}/prefix/share/inca/traces/mine.csv COPYONLY)
foreach(program prefix/bin/inca build/my-inca)
  must_run(text ${WORK}/${program} trace list)
  must_say("${text}" "mine")
endforeach()

# The arithmetic of exchanges, from C. 0.5 and 0.25 are kept to the bit; of 0.01, 2^-7 arrives, and of the owner's sum
# with its own 0.01, 2^-6: copies differ by 2^-7 + 0.01 - 2^-6.
file(GLOB_RECURSE library ${WORK}/prefix/libinca-values.so)
get_filename_component(library ${library} DIRECTORY)
must_run(none ${CXX} -x c -std=c99 -Wall -Wextra -Werror ${WORK}/prefix/share/inca/examples/values/sum.c
         -I${WORK}/prefix/include/inca -L${library} -Wl,-rpath,${library} -linca-values -o ${WORK}/sum
)
must_run(text ${WORK}/sum)
must_say("${text}" "^0.75 0.75\n")
must_say("${text}" "bits per value, replicas differ by 0.0021875\n")

# All of it can be taken away again, but for what others have put there.
file(GLOB_RECURSE manual ${WORK}/prefix/share/man/man1/inca*.1)
list(LENGTH manual pages)
if(pages LESS 10 OR NOT EXISTS ${WORK}/prefix/share/bash-completion/completions/inca)
  message(FATAL_ERROR "no manual pages, or no completion")
endif()
must_run(none ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/removed)
file(WRITE ${WORK}/removed/share/inca/traces/mine.csv "")
must_run(none ${CMAKE_COMMAND} -D MANIFEST=${BUILD}/install_manifest.txt -P ${SOURCE}/cmake/uninstall.cmake)
file(GLOB_RECURSE left LIST_DIRECTORIES true RELATIVE ${WORK}/removed ${WORK}/removed/*)
list(FILTER left INCLUDE REGEX "inca")
if(NOT left STREQUAL "share/inca;share/inca/traces;share/inca/traces/mine.csv")
  message(FATAL_ERROR "uninstall has left ${left}")
endif()

# Without its traces an installed program says so, and takes none of the source tree that it was built in.
# It stands outside of that build tree for this.
set(tmp $ENV{TMPDIR})
if(NOT tmp)
  set(tmp /tmp)
endif()
string(RANDOM LENGTH 16 drawn)
set(moved ${tmp}/inca-package-${drawn})
file(COPY ${WORK}/prefix/bin ${WORK}/prefix/lib DESTINATION ${moved})
execute_process(
  COMMAND ${moved}/bin/inca trace list RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text
)
file(REMOVE_RECURSE ${moved})
if(NOT result EQUAL 2)
  message(FATAL_ERROR "an installed inca without traces ended with ${result}\n${text}")
endif()
must_say("${text}" "${moved}/share/inca/traces: the traces are not there")
