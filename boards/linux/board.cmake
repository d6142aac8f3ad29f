# A function that builds the harness of a board with Linux: a process.

# arenite_linux_board(name RAM_BYTES bytes STORE_BYTES bytes): harness.elf of a board whose folder is the current one. The
# sizes are those of board.json: of the memory `ram` for arenas, and of the memory for received programs.
function(arenite_linux_board name)
  cmake_parse_arguments(PARSE_ARGV 1 board "" "RAM_BYTES;STORE_BYTES" "")
  arenite_runtime_root(root)
  arenite_image_folder(images ${name})
  add_executable(${name}-harness ${root}/boards/linux/harness.cc)
  set_target_properties(${name}-harness PROPERTIES OUTPUT_NAME harness SUFFIX .elf RUNTIME_OUTPUT_DIRECTORY ${images})
  target_include_directories(${name}-harness PRIVATE ${root})
  target_compile_definitions(${name}-harness PRIVATE ARENITE_BOARD="${name}"
    ARENITE_BOARD_RAM_BYTES=${board_RAM_BYTES} ARENITE_BOARD_STORE_BYTES=${board_STORE_BYTES})
  target_link_libraries(${name}-harness PRIVATE $<TARGET_NAME_IF_EXISTS:arenite_warnings> arenite_harness arenite_portable
                                                arenite_core)
endfunction()
# SPDX-License-Identifier: Apache-2.0
