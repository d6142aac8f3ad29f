# Functions that build the images of a bare board from its folder.

# arenite_board_sources(variable folder name): the sources of a family of CPUs or of a UART's driver: the name is
# that of a folder, or a file without its suffix, of boards/ or of the board's own folder, which comes first.
function(arenite_board_sources variable folder name)
  foreach(place ${CMAKE_CURRENT_SOURCE_DIR}/${name} ${folder}/${name})
    file(GLOB sources CONFIGURE_DEPENDS ${place}/*.cc ${place}.cc)
    if(sources)
      set(${variable} ${sources} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "${CMAKE_CURRENT_SOURCE_DIR}: expected a folder ${name} with sources or a file ${name}.cc here, or in "
                      "${folder}, found neither")
endfunction()

# arenite_bare_board(name FAMILY folder UART driver address CLOCK_HZ hertz): the start-up code of a board whose folder is
# the current one. That holds memory.ld and memories.cc; FAMILY is the folder of boards/ with what the CPUs of a
# family share, the driver a file of boards/bare/uart; either may lie in the board's own folder instead. CLOCK_HZ is what the
# family's clock.cc counts.
function(arenite_bare_board name)
  cmake_parse_arguments(PARSE_ARGV 1 board "" "FAMILY;CLOCK_HZ" "UART")
  list(GET board_UART 0 driver)
  list(GET board_UART 1 uart)
  arenite_runtime_root(root)
  set(shared ${root}/boards/bare)
  arenite_board_sources(family ${root}/boards ${board_FAMILY})
  arenite_board_sources(driver ${shared}/uart ${driver})
  add_library(${name}-start OBJECT ${shared}/console.cc ${driver} ${family} ${shared}/semihosting.cc
                                   ${shared}/stack.cc memories.cc)
  target_include_directories(${name}-start PUBLIC ${root})
  target_compile_definitions(${name}-start PRIVATE ARENITE_BOARD_UART=${uart} ARENITE_BOARD_CLOCK_HZ=${board_CLOCK_HZ})
  target_link_libraries(${name}-start PRIVATE $<TARGET_NAME_IF_EXISTS:arenite_warnings> arenite_device_rules)
  arenite_embedded_link(${name})
endfunction()

# Compilers call these functions: a square root where there is no FPU, and mem* where no C library has them.
if(NOT TARGET arenite_called_functions)
  add_library(arenite_called_functions STATIC ${CMAKE_CURRENT_LIST_DIR}/square_root.cc)
  target_link_libraries(arenite_called_functions PRIVATE $<TARGET_NAME_IF_EXISTS:arenite_warnings> arenite_device_rules)
  # A loop that copies must not become a call of the function it is in.
  target_compile_options(arenite_called_functions PRIVATE -fno-tree-loop-distribute-patterns -fno-builtin)
  if(NOT ARENITE_C_LIBRARY)
    target_sources(arenite_called_functions PRIVATE ${CMAKE_CURRENT_LIST_DIR}/memory_functions.cc)
  endif()
endif()

set(arenite_image_link_options
    -nostdlib -Wl,--gc-sections -Wl,--build-id=none -Wl,--fatal-warnings -Wl,--no-warn-rwx-segments)
set(arenite_image_libraries arenite_embedded arenite_portable arenite_ops arenite_core arenite_schema
                            arenite_nanopb_decode)

# arenite_embedded_words(board objects variable): the words, for JSON, of the link of an embedded image whose own objects
# are these words.
function(arenite_embedded_words board objects variable)
  separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS}")
  set(between "\", \"")
  set(archives)
  foreach(library IN LISTS arenite_image_libraries)
    list(APPEND archives $<TARGET_FILE:${library}>)
  endforeach()
  set(c_library $<TARGET_FILE:arenite_called_functions>)
  if(ARENITE_C_LIBRARY)
    string(APPEND c_library ${between} -l${ARENITE_C_LIBRARY})
  endif()
  string(JOIN ${between} words ${CMAKE_CXX_COMPILER} ${flags} ${arenite_image_link_options}
         -T ${CMAKE_CURRENT_SOURCE_DIR}/memory.ld ${objects} "$<JOIN:$<TARGET_OBJECTS:${board}-start>,${between}>"
         ${archives} "${c_library}" -lgcc)
  set(${variable} ${words} PARENT_SCOPE)
endfunction()

# arenite_call_graphs(variable): the folders, for JSON, of the call graphs of the libraries of an image; the
# compiler puts them beside the objects.
function(arenite_call_graphs variable)
  set(folders)
  foreach(library arenite_portable arenite_ops arenite_core arenite_nanopb_decode)
    list(APPEND folders $<TARGET_PROPERTY:${library},BINARY_DIR>/CMakeFiles/${library}.dir)
  endforeach()
  string(JOIN "\", \"" folders ${folders})
  set(${variable} ${folders} PARENT_SCOPE)
endfunction()

# arenite_embedded_link(board): embedded_link.json beside the board's images, by which `arenite target run
# --image embedded` makes an image of one program (tools/target/embedded_image.py).
function(arenite_embedded_link board)
  arenite_embedded_words(${board} {objects} words)
  arenite_call_graphs(folders)
  arenite_runtime_root(root)
  arenite_image_folder(images ${board})
  file(GENERATE OUTPUT ${images}/embedded_link.json CONTENT "{\"board\": \"${board}\",
 \"source\": \"${root}\", \"build\": \"${CMAKE_BINARY_DIR}\",
 \"call_graphs\": [\"${folders}\"],
 \"link\": [\"${words}\"]}\n")
endfunction()

# arenite_board_image(board image SOURCES ... [LIBRARIES ...]): <image>.elf of a board made above, with
# its link map beside it as <image>.map. The target is called <board>-<image>.
function(arenite_board_image board image)
  cmake_parse_arguments(PARSE_ARGV 2 image "" "" "SOURCES;LIBRARIES")
  set(target ${board}-${image})
  set(script ${CMAKE_CURRENT_SOURCE_DIR}/memory.ld)
  add_executable(${target} ${image_SOURCES} $<TARGET_OBJECTS:${board}-start>)
  arenite_image_folder(images ${board})
  arenite_runtime_root(root)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${image} SUFFIX .elf LINK_DEPENDS ${script}
                                             RUNTIME_OUTPUT_DIRECTORY ${images})
  target_include_directories(${target} PRIVATE ${root})
  # -nostdlib keeps the driver from naming libstdc++, which is neither installed nor wanted; the functions that
  # compilers call come after the archives that need them, those of libgcc last of all (boards/CMakeLists.txt).
  target_link_libraries(${target} PRIVATE $<TARGET_NAME_IF_EXISTS:arenite_warnings> arenite_device_rules ${image_LIBRARIES}
                                          arenite_called_functions ${ARENITE_C_LIBRARY})
  target_link_options(${target} PRIVATE ${arenite_image_link_options} -T ${script}
    -Wl,-Map=$<TARGET_FILE_DIR:${target}>/${image}.map)
endfunction()

# arenite_harness_image(board): the image that receives programs. A tree for some programs has not all its code.
function(arenite_harness_image board)
  if(ARENITE_ONLY_FOR)
    return()
  endif()
  arenite_runtime_root(root)
  arenite_board_image(${board} harness SOURCES ${root}/boards/bare/harness.cc
                      LIBRARIES arenite_harness arenite_portable arenite_core)
endfunction()

# arenite_embedded_image(board image MODEL [WITHOUT_VERIFIER]): the image that holds one program, planned for the board from an
# ONNX model by the host's arenite (ARENITE_PLANNER). Without that there is no such image.
function(arenite_embedded_image board image model)
  if(ARENITE_ONLY_FOR)
    return()
  endif()
  if(NOT EXISTS "${ARENITE_PLANNER}")
    message(STATUS "No image ${image} of ${board}: ARENITE_PLANNER names no arenite command")
    return()
  endif()
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${image})
  set(board_file ${CMAKE_CURRENT_SOURCE_DIR}/board.json)
  add_custom_command(
    OUTPUT ${generated}/program.h ${generated}/program.cc ${generated}/program.ld ${generated}/program.arn
    COMMAND ${CMAKE_COMMAND} -E make_directory ${generated}
    COMMAND ${ARENITE_PLANNER} plan ${model} --board ${board_file} -o ${generated}/program.arn
            --emit-cc ${generated} --cc-name program
    DEPENDS ${model} ${board_file} ${ARENITE_PLANNER}
    COMMENT "Planning ${image} for ${board}" VERBATIM)
  arenite_runtime_root(root)
  arenite_board_image(${board} ${image}
    SOURCES ${root}/boards/bare/embedded.cc ${generated}/program.cc
    LIBRARIES arenite_embedded arenite_portable arenite_ops arenite_core)
  target_include_directories(${board}-${image} PRIVATE ${generated} ${root}/include)
  # memory.ld places the arenas of any program.
  target_compile_definitions(${board}-${image} PRIVATE ARENITE_ARENAS_PLACED)
  if("WITHOUT_VERIFIER" IN_LIST ARGN)
    target_compile_definitions(${board}-${image} PRIVATE ARENITE_WITHOUT_VERIFIER)
  endif()
  if(COMMAND arenite_code_sizes AND NOT TARGET arenite_code_sizes)
    arenite_code_sizes(${board} ${generated})
  endif()
endfunction()

# SPDX-License-Identifier: Apache-2.0
