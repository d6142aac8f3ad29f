# The target `wheel`: an installation as a package of Python, for pip.

find_program(ARENITE_WHEEL_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
mark_as_advanced(ARENITE_WHEEL_PYTHON)
set(planner $<TARGET_FILE:arenite_planner_portable>)
set(parts arenite_small arenite_shared arenite_planner_shared arenite_planner_portable)
foreach(target qemu_count watched_forms)
  if(TARGET ${target})
    list(APPEND parts ${target})
  endif()
endforeach()
add_custom_target(wheel
  COMMAND ${ARENITE_WHEEL_PYTHON} ${PROJECT_SOURCE_DIR}/tools/make_wheel.py --cmake ${CMAKE_COMMAND}
          --build ${PROJECT_BINARY_DIR} --source ${PROJECT_SOURCE_DIR} --planner ${planner} --version ${PROJECT_VERSION}
          --machine ${CMAKE_SYSTEM_PROCESSOR} --objdump ${CMAKE_OBJDUMP} --strip ${CMAKE_STRIP}
          --output ${PROJECT_BINARY_DIR}/wheel
  DEPENDS ${parts} ${PROJECT_SOURCE_DIR}/tools/make_wheel.py
  COMMENT "Making a wheel" VERBATIM)
# SPDX-License-Identifier: Apache-2.0
