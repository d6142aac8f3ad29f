# arenite_add_board(): the images by which `arenite target` runs programs on a board, in anybody's project.
#
#   arenite_add_board(NAME FAMILY cortex_m|riscv|aarch64|FOLDER UART DRIVER ADDRESS CLOCK_HZ HERTZ [MODELS model...])
#   arenite_add_board(NAME FAMILY linux RAM_BYTES N STORE_BYTES N)
#
# The current folder is the board's. It holds board.json (docs/board.md), whose name is NAME, and for a bare board memory.ld and
# memories.cc.
#
# FAMILY       start-up, clock and the semihosting call of a family of CPUs; or a folder of the board's with these
# UART         the serial port of the harness: cmsdk, ns16550, nrf51, pl011, or a file DRIVER.cc of the board's; and its address
# CLOCK_HZ     what the family's clock counts
# MODELS       each is planned for the board, and an image of it alone is built, named like the file
# RAM_BYTES, STORE_BYTES   of a process under Linux: the sizes of its memories for arenas and for programs
#
# It makes the targets NAME-harness, where board.json has a memory for received programs, and NAME-<model>. The images lie in
# images/<toolchain>/boards/NAME of the build tree: with ARENITE_IMAGES=BUILD/images the commands `arenite target run`, `test` and
# `bench` find them, also --image embedded, which needs Python 3 and CMAKE_EXPORT_COMPILE_COMMANDS.
#
# Call it in the folder's CMakeLists.txt and in no function, with a toolchain file and CMAKE_BUILD_TYPE MinSizeRel on small boards.
include(${CMAKE_CURRENT_LIST_DIR}/plan_model.cmake)

# arenite_check_board(name where files...): looks at the board's folder before anything is compiled.
function(arenite_check_board name where)
  foreach(file IN LISTS ARGN)
    if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${file})
      message(FATAL_ERROR "${where}: ${CMAKE_CURRENT_SOURCE_DIR}: expected ${file} in the board's folder, found none")
    endif()
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/board.json)
  file(READ ${CMAKE_CURRENT_SOURCE_DIR}/board.json board_json)
  foreach(key "name" "cpu;toolchain")
    string(JSON found ERROR_VARIABLE absent GET "${board_json}" ${key})
    if(absent)
      string(REPLACE ";" "." key "${key}")
      message(FATAL_ERROR "${where}: ${CMAKE_CURRENT_SOURCE_DIR}/board.json: expected the key ${key}: ${absent}")
    endif()
    if(key STREQUAL "name" AND NOT found STREQUAL name)
      message(FATAL_ERROR "${where}: ${CMAKE_CURRENT_SOURCE_DIR}/board.json: expected the name ${name}, found ${found}")
    endif()
  endforeach()
endfunction()

# arenite_board_runtime(): the libraries of images, once in a project.
function(arenite_board_runtime)
  get_property(runtime GLOBAL PROPERTY ARENITE_RUNTIME)
  if(NOT TARGET arenite_core)
    # The compiler's call graphs, from which the worst-case stack of an image comes.
    set(ARENITE_FREESTANDING $<CXX_COMPILER_ID:GNU>)
    add_subdirectory(${runtime} ${CMAKE_BINARY_DIR}/arenite_runtime EXCLUDE_FROM_ALL)
  endif()
  if(NOT TARGET arenite_harness)
    add_subdirectory(${runtime}/boards ${CMAKE_BINARY_DIR}/arenite_boards EXCLUDE_FROM_ALL)
  endif()
endfunction()

# arenite_installed_code_sizes(): what the installation knows of the code of this toolchain's forms serves the board too.
function(arenite_installed_code_sizes)
  get_property(runtime GLOBAL PROPERTY ARENITE_RUNTIME)
  file(READ ${CMAKE_CURRENT_SOURCE_DIR}/board.json board_json)
  string(JSON toolchain GET "${board_json}" cpu toolchain)
  set(sizes ${runtime}/../images/${toolchain}/code_sizes.json)
  if(EXISTS ${sizes})
    configure_file(${sizes} ${CMAKE_BINARY_DIR}/images/${toolchain}/code_sizes.json COPYONLY)
  endif()
endfunction()

function(arenite_add_board name)
  set(where "arenite_add_board(${name})")
  cmake_parse_arguments(PARSE_ARGV 1 board "" "FAMILY;CLOCK_HZ;RAM_BYTES;STORE_BYTES" "UART;MODELS")
  if(board_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${where}: unknown argument ${board_UNPARSED_ARGUMENTS}; expected FAMILY, UART, CLOCK_HZ, MODELS, or "
                        "FAMILY linux, RAM_BYTES, STORE_BYTES")
  endif()
  set(files board.json memory.ld memories.cc)
  set(needed FAMILY UART CLOCK_HZ)
  set(system Generic)
  if(board_FAMILY STREQUAL "linux")
    set(files board.json)
    set(needed RAM_BYTES STORE_BYTES)
    set(system Linux)
  endif()
  foreach(key IN LISTS needed)
    if(NOT board_${key})
      message(FATAL_ERROR "${where}: expected ${key} with a value")
    endif()
  endforeach()
  arenite_check_board(${name} ${where} ${files})
  if(NOT CMAKE_SYSTEM_NAME STREQUAL system)
    message(FATAL_ERROR "${where}: expected a build for the system ${system}, found ${CMAKE_SYSTEM_NAME}: give "
                        "-DCMAKE_TOOLCHAIN_FILE=, such as PREFIX/share/arenite/toolchains/<toolchain of board.json>.cmake")
  endif()
  arenite_board_runtime()
  get_property(runtime GLOBAL PROPERTY ARENITE_RUNTIME)
  include(${runtime}/boards/image_folder.cmake)
  arenite_installed_code_sizes()
  if(board_FAMILY STREQUAL "linux")
    if(board_MODELS)
      message(FATAL_ERROR "${where}: MODELS are images of bare boards; under Linux arenite_add_model() links a model")
    endif()
    include(${runtime}/boards/linux/board.cmake)
    arenite_linux_board(${name} RAM_BYTES ${board_RAM_BYTES} STORE_BYTES ${board_STORE_BYTES})
    return()
  endif()
  list(LENGTH board_UART words)
  if(NOT words EQUAL 2)
    message(FATAL_ERROR "${where}: UART: expected a driver and an address, found ${words} words")
  endif()
  include(${runtime}/boards/bare/board.cmake)
  arenite_bare_board(${name} FAMILY ${board_FAMILY} UART ${board_UART} CLOCK_HZ ${board_CLOCK_HZ})
  file(READ ${CMAKE_CURRENT_SOURCE_DIR}/board.json board_json)
  if(board_json MATCHES "\"harness\"")
    arenite_harness_image(${name})
  endif()
  if(board_MODELS)
    arenite_host_tool(ARENITE_PLANNER)
  endif()
  foreach(model IN LISTS board_MODELS)
    cmake_path(ABSOLUTE_PATH model BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    if(NOT EXISTS ${model})
      message(FATAL_ERROR "${where}: there is no model ${model}")
    endif()
    cmake_path(GET model STEM image)
    arenite_embedded_image(${name} ${image} ${model})
  endforeach()
  # The compiler calls functions of its own library, which comes last of all.
  set(CMAKE_CXX_STANDARD_LIBRARIES "${CMAKE_CXX_STANDARD_LIBRARIES} -lgcc" PARENT_SCOPE)
endfunction()
# SPDX-License-Identifier: Apache-2.0
