# The files that `cmake --install` copies: none of them knows where it lies, so the prefix may be moved.
#
#   bin/                    arenite, arenite-run, arenite-new-board
#   lib/                    libarenite, libarenite_planner, Python's module, QEMU's instruction counter, watched forms,
#                           cases of operators
#   include/                the C interfaces
#   share/cmake, pkgconfig  for find_package(arenite) and pkg-config
#   share/arenite/          boards, toolchains, images, examples, and the runtime as sources
#   share/doc/arenite/      README.md and the pages that it names; licenses
#   share/man, and folders of bash, zsh and fish: the manual page and completion of words
#
# Components (`cmake --install build --component NAME`): tool, runner, cases (of operators), library (shared),
# development, python, runtime, doc. A wheel is made of tool, library and python, a Debian package of all.
include(CMakePackageConfigHelpers)

set(data ${CMAKE_INSTALL_DATADIR}/arenite)
set(package ${CMAKE_INSTALL_DATADIR}/cmake/arenite)

# All that an installation has to find built; the images of boards join it where they are.
add_custom_target(arenite_installed DEPENDS arenite-run arenite_shared arenite_static)
foreach(target arenite_planner_shared arenite_small qemu_count watched_forms operator_cases)
  if(TARGET ${target})
    add_dependencies(arenite_installed ${target})
  endif()
endforeach()

# Programs find their libraries from where they lie.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME tool)
install(TARGETS arenite-run RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runner)
if(TARGET arenite_planner_shared)
  install(TARGETS arenite_small RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(TARGETS arenite_planner_shared EXPORT arenite-targets
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT library)
  install(FILES ${PROJECT_SOURCE_DIR}/include/arenite_planner.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
          COMPONENT development)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/api/python/arenite
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/python3/site-packages COMPONENT python PATTERN __pycache__ EXCLUDE)
endif()
foreach(target qemu_count watched_forms)
  if(TARGET ${target})
    install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/arenite)
  endif()
endforeach()
if(TARGET operator_cases)
  install(TARGETS operator_cases RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR}/arenite COMPONENT cases)
endif()

# The library.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
install(TARGETS arenite_shared arenite_static EXPORT arenite-targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT library
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT arenite-targets NAMESPACE arenite:: DESTINATION ${package})
install(FILES ${PROJECT_SOURCE_DIR}/include/arenite.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# From where the .pc file lies back to the prefix.
file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${PROJECT_SOURCE_DIR}/cmake/arenite.pc.in ${PROJECT_BINARY_DIR}/package/arenite.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/arenite.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# The runtime, as cmake/runtime/CMakeLists.txt compiles it.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME runtime)
set(runtime ${data}/runtime)
foreach(folder core ops portable_fallback)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} DESTINATION ${runtime}
          FILES_MATCHING PATTERN "*.h" PATTERN "*.cc")
  install(FILES ${PROJECT_SOURCE_DIR}/${folder}/CMakeLists.txt DESTINATION ${runtime}/${folder})
endforeach()
# Images of boards share these sources; scripts make and measure an image of one program (cmake/add_board.cmake).
foreach(folder bare cortex_m riscv aarch64 linux harness embedded)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/boards/${folder} DESTINATION ${runtime}/boards
          FILES_MATCHING PATTERN "*.h" PATTERN "*.cc" PATTERN CMakeLists.txt PATTERN board.cmake)
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/boards/image_folder.cmake ${PROJECT_SOURCE_DIR}/cmake/runtime/boards/CMakeLists.txt
        DESTINATION ${runtime}/boards)
install(FILES ${PROJECT_SOURCE_DIR}/tools/target/embedded_image.py ${PROJECT_SOURCE_DIR}/tools/target/stack_bounds.py
        DESTINATION ${runtime}/tools/target)
foreach(file map_budget.py stack_usage.py code_parts.txt stack_rules.txt)
  install(FILES ${PROJECT_SOURCE_DIR}/tools/checks/${file} DESTINATION ${runtime}/tools/checks)
endforeach()
install(PROGRAMS ${PROJECT_SOURCE_DIR}/tools/new_board DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME arenite-new-board)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/arenite DESTINATION ${runtime}/include)
install(FILES ${PROJECT_SOURCE_DIR}/schema/ops.def ${PROJECT_SOURCE_DIR}/schema/forms.def
              ${PROJECT_SOURCE_DIR}/schema/cpu_features.def ${PROJECT_SOURCE_DIR}/schema/capabilities.def
              ${PROJECT_SOURCE_DIR}/schema/nanopb_names.h ${PROJECT_SOURCE_DIR}/schema/harness_store.h
              ${PROJECT_BINARY_DIR}/generated/schema/program.pb.h
              ${PROJECT_BINARY_DIR}/generated/schema/program.pb.c
              ${PROJECT_BINARY_DIR}/generated/schema/harness.pb.h
              ${PROJECT_BINARY_DIR}/generated/schema/harness.pb.c DESTINATION ${runtime}/schema)
foreach(file pb.h pb_common.h pb_common.c pb_decode.h pb_decode.c pb_encode.h pb_encode.c LICENSE.txt)
  install(FILES ${ARENITE_NANOPB_DIR}/${file} DESTINATION ${runtime}/nanopb)
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/cmake/runtime/CMakeLists.txt DESTINATION ${runtime})
# For projects that other build systems rule: make, Zephyr, ESP-IDF.
install(FILES ${PROJECT_SOURCE_DIR}/cmake/runtime/arenite.mk DESTINATION ${data})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/cmake/sdk/ DESTINATION ${data})
install(FILES ${PROJECT_SOURCE_DIR}/cmake/device_code.cmake ${PROJECT_SOURCE_DIR}/cmake/fast_kernels.cmake
        DESTINATION ${runtime}/cmake)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME tool)
# The boards, the images that `arenite target run` starts, and the tables that estimate code, if they were built.
file(GLOB board_files ${PROJECT_SOURCE_DIR}/boards/*/board.json)
foreach(board_file IN LISTS board_files)
  file(READ ${board_file} board_json)
  string(JSON toolchain ERROR_VARIABLE absent GET "${board_json}" cpu toolchain)
  cmake_path(GET board_file PARENT_PATH board_folder)
  cmake_path(GET board_folder FILENAME board)
  install(DIRECTORY ${board_folder} DESTINATION ${data}/boards)
  if(toolchain AND ARENITE_IMAGES_DIR)
    set(image ${toolchain}/boards/${board})
    install(FILES ${ARENITE_IMAGES_DIR}/${image}/harness.elf DESTINATION ${data}/images/${image} OPTIONAL)
    install(FILES ${ARENITE_IMAGES_DIR}/${toolchain}/code_sizes.json
            DESTINATION ${data}/images/${toolchain} OPTIONAL)
  endif()
endforeach()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/toolchains DESTINATION ${data})
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME doc)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${data} USE_SOURCE_PERMISSIONS
        PATTERN __pycache__ EXCLUDE PATTERN build EXCLUDE)
include(${CMAKE_CURRENT_LIST_DIR}/install_docs.cmake)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/arenite-config.cmake.in
  ${PROJECT_BINARY_DIR}/package/arenite-config.cmake INSTALL_DESTINATION ${package}
  PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_DATADIR NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# The runtime is source code, for any machine; the config file looks whether the library is for this one.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/arenite-config-version.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/package/arenite-config.cmake
              ${PROJECT_BINARY_DIR}/package/arenite-config-version.cmake
              ${PROJECT_SOURCE_DIR}/cmake/add_model.cmake
              ${PROJECT_SOURCE_DIR}/cmake/add_board.cmake
              ${PROJECT_SOURCE_DIR}/cmake/plan_model.cmake DESTINATION ${package})
unset(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME)
if(TARGET arenite_planner_shared)
  include(${CMAKE_CURRENT_LIST_DIR}/packages.cmake)
endif()
# SPDX-License-Identifier: Apache-2.0
