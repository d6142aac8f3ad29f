# Compiles through ccache where it is installed and no other launcher was chosen: copies of this tree that tests
# build, and trees built again, get what is the same from it.
#
# Paths inside the tree count from its root, wherever it lies; what files were included is taken from the
# dependencies that the compiler lists, so that nothing is preprocessed twice. Not for microcontrollers: ccache
# keeps no call graph (.ci), from which tools/checks/stack_usage.py takes the worst-case stack.
if(ARENITE_FREESTANDING)
  return()
endif()
find_program(ARENITE_CCACHE ccache)
mark_as_advanced(ARENITE_CCACHE)
if(ARENITE_CCACHE)
  foreach(language C CXX)
    if(NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER
          ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
          CCACHE_SLOPPINESS=pch_defines,time_macros ${ARENITE_CCACHE})
    endif()
  endforeach()
endif()
# SPDX-License-Identifier: Apache-2.0
