# Finds protobuf, and makes a static copy of protobuf-lite for what must run where no protobuf is installed.
#
# Targets: arenite_protobuf, which is Debian's shared library in a build for this machine, and the static copy where a
# target that links it has the property ARENITE_STATIC_PROTOBUF, or the build is for another machine; and
# ARENITE_PROTOC, the compiler of .proto files.

find_program(ARENITE_PROTOC protoc REQUIRED)
mark_as_advanced(ARENITE_PROTOC)

# The files of protobuf-lite 3.21, as its src/file_lists.cmake names them.
if(PROJECT_IS_TOP_LEVEL)
  set(protobuf_dir ${PROJECT_SOURCE_DIR}/build/deps/protobuf)
else()
  set(protobuf_dir ${PROJECT_BINARY_DIR}/deps/protobuf)
endif()
set(protobuf_files)
foreach(file any_lite arena arenastring arenaz_sampler extension_set generated_enum_util generated_message_tctable_lite
             generated_message_util implicit_weak_message inlined_string_field io/coded_stream io/strtod io/zero_copy_stream
             io/zero_copy_stream_impl io/zero_copy_stream_impl_lite map message_lite parse_context repeated_field
             repeated_ptr_field stubs/bytestream stubs/common stubs/int128 stubs/status stubs/statusor stubs/stringpiece
             stubs/stringprintf stubs/structurally_valid stubs/strutil stubs/time wire_format_lite)
  list(APPEND protobuf_files ${protobuf_dir}/google/protobuf/${file}.cc)
endforeach()
add_custom_command(OUTPUT ${protobuf_dir}/complete BYPRODUCTS ${protobuf_files}
                   COMMAND ${PROJECT_SOURCE_DIR}/tools/get_protobuf ${protobuf_dir}
                   DEPENDS ${PROJECT_SOURCE_DIR}/tools/get_protobuf COMMENT "Fetching the sources of protobuf" VERBATIM)
add_custom_target(arenite_protobuf_sources DEPENDS ${protobuf_dir}/complete)
set_source_files_properties(${protobuf_files} PROPERTIES GENERATED ON)
add_library(arenite_protobuf_lite STATIC EXCLUDE_FROM_ALL ${protobuf_files})
add_dependencies(arenite_protobuf_lite arenite_protobuf_sources)
find_package(Threads REQUIRED)
target_link_libraries(arenite_protobuf_lite PUBLIC Threads::Threads)
set_target_properties(arenite_protobuf_lite PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_STANDARD 17)
target_compile_options(arenite_protobuf_lite PRIVATE -w -O2 -fmacro-prefix-map=${protobuf_dir}/=)
target_compile_definitions(arenite_protobuf_lite PRIVATE HAVE_PTHREAD)
target_include_directories(arenite_protobuf_lite SYSTEM PRIVATE ${protobuf_dir})

add_library(arenite_protobuf INTERFACE)
if(CMAKE_CROSSCOMPILING)
  # Headers of this machine are not for the other one.
  target_include_directories(arenite_protobuf SYSTEM INTERFACE ${protobuf_dir})
  target_link_libraries(arenite_protobuf INTERFACE arenite_protobuf_lite)
else()
  find_package(Protobuf REQUIRED)
  target_link_libraries(arenite_protobuf INTERFACE
    $<IF:$<BOOL:$<TARGET_PROPERTY:ARENITE_STATIC_PROTOBUF>>,arenite_protobuf_lite,protobuf::libprotobuf-lite>)
endif()
# SPDX-License-Identifier: Apache-2.0
