# Finds nanopb's C sources and turns .proto files into its C tables, in the build tree.
#
#   arenite_nanopb_generate(target proto [options])  static library of the generated tables;
#       `schema/x.proto` is included as "schema/x.pb.h". Paths are relative to the current folder.

if(PROJECT_IS_TOP_LEVEL)
  set(nanopb_default "${PROJECT_SOURCE_DIR}/build/deps/nanopb")
else()
  set(nanopb_default "${PROJECT_BINARY_DIR}/deps/nanopb")
endif()
set(ARENITE_NANOPB_DIR "${nanopb_default}" CACHE PATH
    "Folder with nanopb's C sources; tools/get_nanopb fills it when it is empty")
find_program(ARENITE_NANOPB_GENERATOR nanopb_generator.py)
mark_as_advanced(ARENITE_NANOPB_GENERATOR)
if(NOT ARENITE_NANOPB_GENERATOR)
  message(FATAL_ERROR "nanopb_generator.py not found: tools/setup installs it (package nanopb)")
endif()

execute_process(COMMAND ${PROJECT_SOURCE_DIR}/tools/get_nanopb ${ARENITE_NANOPB_DIR}
                RESULT_VARIABLE nanopb_result ERROR_VARIABLE nanopb_error)
if(NOT nanopb_result EQUAL 0)
  message(FATAL_ERROR "No nanopb sources in ${ARENITE_NANOPB_DIR}\n${nanopb_error}")
endif()

function(arenite_nanopb_generate target proto)
  set(generated_root ${PROJECT_BINARY_DIR}/generated)
  cmake_path(ABSOLUTE_PATH proto BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE
             OUTPUT_VARIABLE proto_file)
  cmake_path(RELATIVE_PATH proto_file BASE_DIRECTORY ${PROJECT_SOURCE_DIR}
             OUTPUT_VARIABLE proto_name)
  cmake_path(REMOVE_EXTENSION proto_name OUTPUT_VARIABLE stem)
  cmake_path(GET stem PARENT_PATH folder)
  set(inputs ${proto_file})
  set(options)
  if(ARGC GREATER 2)
    cmake_path(ABSOLUTE_PATH ARGV2 BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE
               OUTPUT_VARIABLE options_file)
    list(APPEND inputs ${options_file})
    set(options --options-file=${options_file})
  endif()
  set(outputs ${generated_root}/${stem}.pb.c ${generated_root}/${stem}.pb.h)
  file(MAKE_DIRECTORY ${generated_root}/${folder})
  add_custom_command(
    OUTPUT ${outputs}
    COMMAND ${ARENITE_NANOPB_GENERATOR} --quiet ${options}
            --proto-path=${PROJECT_SOURCE_DIR} --output-dir=${generated_root} ${proto_name}
    DEPENDS ${inputs} ${ARENITE_NANOPB_GENERATOR}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    COMMENT "Generating ${stem}.pb.c"
    VERBATIM)
  arenite_nanopb_library(${target} ${ARENITE_NANOPB_DIR} ${outputs})
  target_include_directories(${target} SYSTEM PUBLIC ${generated_root})
  target_link_libraries(${target} PUBLIC arenite_nanopb_decode)
endfunction()
# SPDX-License-Identifier: Apache-2.0
