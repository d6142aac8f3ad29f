# The targets `wheel` and `deb`: an installation as a package of Python, for pip, and as one of Debian.

find_program(ARENITE_PACKAGE_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
mark_as_advanced(ARENITE_PACKAGE_PYTHON)
set(planner $<TARGET_FILE:arenite_planner_portable>)
set(parts arenite_small arenite_shared arenite_planner_shared arenite_planner_portable)
foreach(target qemu_count watched_forms)
  if(TARGET ${target})
    list(APPEND parts ${target})
  endif()
endforeach()
add_custom_target(wheel
  COMMAND ${ARENITE_PACKAGE_PYTHON} ${PROJECT_SOURCE_DIR}/tools/make_wheel.py --cmake ${CMAKE_COMMAND}
          --build ${PROJECT_BINARY_DIR} --source ${PROJECT_SOURCE_DIR} --planner ${planner} --version ${PROJECT_VERSION}
          --machine ${CMAKE_SYSTEM_PROCESSOR} --objdump ${CMAKE_OBJDUMP} --strip ${CMAKE_STRIP}
          --output ${PROJECT_BINARY_DIR}/wheel
  DEPENDS ${parts} ${PROJECT_SOURCE_DIR}/tools/make_wheel.py
  COMMENT "Making a wheel" VERBATIM)

# Files that only a Debian package has. Debian's Python looks elsewhere for modules.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT debian
        EXCLUDE_FROM_ALL)
install(CODE "
  set(modules \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/python3/dist-packages\")
  file(MAKE_DIRECTORY \${modules})
  file(CREATE_LINK ../site-packages/arenite \${modules}/arenite SYMBOLIC)" COMPONENT debian EXCLUDE_FROM_ALL)

add_custom_target(deb
  COMMAND ${ARENITE_PACKAGE_PYTHON} ${PROJECT_SOURCE_DIR}/tools/make_deb.py --cmake ${CMAKE_COMMAND}
          --build ${PROJECT_BINARY_DIR} --version ${PROJECT_VERSION} --output ${PROJECT_BINARY_DIR}/package
  DEPENDS arenite_installed ${PROJECT_SOURCE_DIR}/tools/make_deb.py
  COMMENT "Making a Debian package" VERBATIM)
# SPDX-License-Identifier: Apache-2.0
