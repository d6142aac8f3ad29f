# Builds nanopb for the target at hand and turns .proto files into its C tables, in the build tree.
#
#   nanopb_decode, nanopb_encode                 static libraries of nanopb's own sources
#   arenite_nanopb_generate(target proto [options])  static library of the generated tables;
#       `schema/x.proto` is included as "schema/x.pb.h". Paths are relative to the current folder.

set(ARENITE_NANOPB_DIR "${CMAKE_SOURCE_DIR}/build/deps/nanopb" CACHE PATH
    "Folder with nanopb's C sources; tools/get_nanopb fills it when it is empty")
find_program(ARENITE_NANOPB_GENERATOR nanopb_generator.py)
mark_as_advanced(ARENITE_NANOPB_GENERATOR)
if(NOT ARENITE_NANOPB_GENERATOR)
  message(FATAL_ERROR "nanopb_generator.py not found: tools/setup installs it (package nanopb)")
endif()

execute_process(COMMAND ${CMAKE_SOURCE_DIR}/tools/get_nanopb ${ARENITE_NANOPB_DIR}
                RESULT_VARIABLE nanopb_result ERROR_VARIABLE nanopb_error)
if(NOT nanopb_result EQUAL 0)
  message(FATAL_ERROR "No nanopb sources in ${ARENITE_NANOPB_DIR}\n${nanopb_error}")
endif()

# These change nanopb's structs, so everything that includes pb.h has to agree on them.
set(nanopb_definitions PB_NO_ERRMSG PB_BUFFER_ONLY PB_WITHOUT_64BIT PB_FIELD_32BIT)

# nanopb's code is compiled as it is, under the rules of device code but not our warnings.
function(arenite_nanopb_library name)
  add_library(${name} STATIC ${ARGN})
  target_include_directories(${name} SYSTEM PUBLIC ${ARENITE_NANOPB_DIR})
  target_compile_definitions(${name} PUBLIC ${nanopb_definitions})
  target_compile_options(${name} PRIVATE -fno-exceptions -fno-unwind-tables
                                         -fno-asynchronous-unwind-tables)
  target_link_libraries(${name} PRIVATE arenite_device_rules arenite_rarely_run)
  if(TARGET arenite_sanitizers)
    target_link_libraries(${name} PUBLIC arenite_sanitizers)
  endif()
endfunction()

arenite_nanopb_library(nanopb_decode ${ARENITE_NANOPB_DIR}/pb_common.c
                                     ${ARENITE_NANOPB_DIR}/pb_decode.c)
# Shares pb_common.c with nanopb_decode: an image that links both holds it once.
arenite_nanopb_library(nanopb_encode ${ARENITE_NANOPB_DIR}/pb_encode.c)
target_link_libraries(nanopb_encode PUBLIC nanopb_decode)

function(arenite_nanopb_generate target proto)
  set(generated_root ${CMAKE_BINARY_DIR}/generated)
  cmake_path(ABSOLUTE_PATH proto BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE
             OUTPUT_VARIABLE proto_file)
  cmake_path(RELATIVE_PATH proto_file BASE_DIRECTORY ${CMAKE_SOURCE_DIR}
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
            --proto-path=${CMAKE_SOURCE_DIR} --output-dir=${generated_root} ${proto_name}
    DEPENDS ${inputs} ${ARENITE_NANOPB_GENERATOR}
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
    COMMENT "Generating ${stem}.pb.c"
    VERBATIM)
  arenite_nanopb_library(${target} ${outputs})
  target_include_directories(${target} SYSTEM PUBLIC ${generated_root})
  target_link_libraries(${target} PUBLIC nanopb_decode)
endfunction()

# SPDX-License-Identifier: Apache-2.0
