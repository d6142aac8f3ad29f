# Configures and builds the preset PRESET of SOURCE_DIR in BUILD_DIR: run with cmake -P.
#
# PLANNER, the host's arenite, plans the programs of embedded images. Configured only once: the build
# itself configures again when a CMake file changes.
set(planner_of_tree)
if(EXISTS ${BUILD_DIR}/CMakeCache.txt AND EXISTS ${BUILD_DIR}/build.ninja)
  file(STRINGS ${BUILD_DIR}/CMakeCache.txt line REGEX "^ARENITE_PLANNER:")
  string(REGEX REPLACE "^[^=]*=" "" planner_of_tree "${line}")
endif()
if(NOT EXISTS "${planner_of_tree}")
  execute_process(COMMAND ${CMAKE_COMMAND} --preset ${PRESET} -B ${BUILD_DIR}
                          -D ARENITE_PLANNER=${PLANNER} --log-level=WARNING
                  WORKING_DIRECTORY ${SOURCE_DIR} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endif()
# Ninja counts on one line of a terminal; in a log its lines would be many.
execute_process(COMMAND sh -c "test -t 1" RESULT_VARIABLE no_terminal)
set(quiet)
if(no_terminal)
  set(quiet -- --quiet)
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD_DIR} ${quiet} COMMAND_ERROR_IS_FATAL ANY)

# SPDX-License-Identifier: Apache-2.0
