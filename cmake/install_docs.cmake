# Installs what people read: pages, whose links hold in an installation too, the manual page, words that shells complete.

set(doc ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/CONTRIBUTING.md
              ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${doc})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${doc})
# Files elsewhere in the source tree that pages name.
foreach(file bench/README.md bench/zoo.json core/symbols.h tests/planner/cases/README.md)
  cmake_path(GET file PARENT_PATH folder)
  install(FILES ${PROJECT_SOURCE_DIR}/${file} DESTINATION ${doc}/${folder})
endforeach()
# The examples lie beside the boards; links make both folders look as the source tree does.
file(RELATIVE_PATH to_data /${doc} /${CMAKE_INSTALL_DATADIR}/arenite)
file(RELATIVE_PATH to_doc /${CMAKE_INSTALL_DATADIR}/arenite /${doc})
install(CODE "
  set(root \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
  file(CREATE_LINK ${to_data}/examples \${root}/${doc}/examples SYMBOLIC)
  file(CREATE_LINK ${to_doc}/docs \${root}/${CMAKE_INSTALL_DATADIR}/arenite/docs SYMBOLIC)")

# Code of others that our binaries hold, under its own licenses.
set(notices)
foreach(package libprotobuf-dev libfmt-dev libcli11-dev nlohmann-json3-dev libflatbuffers-dev libstb-dev nanopb)
  set(copyright /usr/share/doc/${package}/copyright)
  if(EXISTS ${copyright})
    file(READ ${copyright} text)
    string(APPEND notices "==== ${package}\n\n${text}\n")
  endif()
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/package/THIRD_PARTY_LICENSES CONTENT "@notices@" @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/THIRD_PARTY_LICENSES DESTINATION ${doc})

if(TARGET arenite_small)
  set(shells ${PROJECT_SOURCE_DIR}/tools/shell)
  install(FILES ${shells}/arenite.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME arenite)
  install(FILES ${shells}/arenite.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _arenite)
  install(FILES ${shells}/arenite.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

# The manual page is what the command says of itself, so it is made where the command runs.
if(TARGET arenite AND NOT CMAKE_CROSSCOMPILING)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(page ${PROJECT_BINARY_DIR}/package/arenite.1)
  set(script ${PROJECT_SOURCE_DIR}/tools/man_page.py)
  add_custom_command(OUTPUT ${page}
    COMMAND Python3::Interpreter ${script} $<TARGET_FILE:arenite> ${PROJECT_VERSION} ${page}
    DEPENDS ${script} arenite COMMENT "Writing arenite.1" VERBATIM)
  add_custom_target(arenite_man_page ALL DEPENDS ${page})
  add_dependencies(arenite_installed arenite_man_page)
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
# SPDX-License-Identifier: Apache-2.0
