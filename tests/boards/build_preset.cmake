# Configures and builds the preset PRESET of SOURCE_DIR in BUILD_DIR: run with cmake -P.
execute_process(COMMAND ${CMAKE_COMMAND} --preset ${PRESET} -B ${BUILD_DIR}
                WORKING_DIRECTORY ${SOURCE_DIR} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD_DIR} COMMAND_ERROR_IS_FATAL ANY)

# SPDX-License-Identifier: Apache-2.0
