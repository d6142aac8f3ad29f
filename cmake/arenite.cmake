# Settings that all targets of this tree share: strict warnings, the rules of device code, sanitizers.

add_library(arenite_warnings INTERFACE)
target_compile_options(arenite_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wcast-align
  -Wundef $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor -Wold-style-cast>
  $<$<BOOL:${ARENITE_WARNINGS_AS_ERRORS}>:-Werror>
  # Clang takes double{x} of a float x, which is how this tree says it, for an accident, wants braces twice, and strings
  # of no more than 65,536 bytes.
  $<IF:$<COMPILE_LANG_AND_ID:CXX,Clang>,-Wno-missing-braces;-Wno-overlength-strings,-Wdouble-promotion>
  # In a batch Clang takes a local name for the shadow of a constant of the file before; GCC does not.
  $<$<AND:$<COMPILE_LANG_AND_ID:CXX,Clang>,$<BOOL:${ARENITE_UNITY}>>:-Wno-shadow>
  # GCC 12 sees overlaps in any inlined "text" + std::string (GCC bug 105651), and overflows in vectors that
  # grow (105329).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-stringop-overflow>)

# Device code runs all checks of UBSan. Host code leaves out five, which take a quarter to a half of the compiler's time;
# AddressSanitizer finds null and stray accesses too.
add_library(arenite_sanitizers INTERFACE)
if(ARENITE_SANITIZE)
  set(is_device_code $<BOOL:$<TARGET_PROPERTY:ARENITE_DEVICE_CODE>>)
  target_compile_options(arenite_sanitizers INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
    $<$<NOT:${is_device_code}>:-fno-sanitize=null$<COMMA>alignment$<COMMA>object-size$<COMMA>pointer-overflow$<COMMA>vptr>
    # As GCC says that code is sanitized.
    $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-D__SANITIZE_ADDRESS__=1>)
  # Each of a thousand cases is a process: at fixed addresses it starts in half the time, since nothing is relocated.
  target_link_options(arenite_sanitizers INTERFACE -fsanitize=address,undefined
    $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
  # Links these large executables in a quarter of GNU ld's time.
  find_program(ARENITE_LLD ld.lld)
  mark_as_advanced(ARENITE_LLD)
  if(ARENITE_LLD)
    target_link_options(arenite_sanitizers INTERFACE -fuse-ld=lld)
  endif()
endif()

# Gives a library of this tree the tree's warnings and sanitizers. On a host it may become part of a
# shared library.
function(arenite_tree_rules name)
  target_link_libraries(${name} PRIVATE arenite_warnings PUBLIC arenite_sanitizers)
  if(NOT CMAKE_SYSTEM_NAME STREQUAL "Generic")
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    # Nobody puts functions of his own in place of ours, so calls between ours may be inlined.
    target_compile_options(${name} PRIVATE -fno-semantic-interposition)
  endif()
endfunction()

# arenite_own_data(name folder): what the installation has as share/arenite/<name> is this folder while we build
# (support/own_data.h).
function(arenite_own_data name folder)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/arenite)
  file(CREATE_LINK ${folder} ${PROJECT_BINARY_DIR}/share/arenite/${name} SYMBOLIC)
endfunction()

set(ARENITE_IMAGE_TOOLCHAINS cortex-m4 cortex-m55 CACHE STRING
    "Toolchains whose images the default target builds and the tests of boards run; `all` for all of them. The others' \
are built by the targets arenite_images_<toolchain>")

# arenite_compiler_of(toolchain variable): the C++ compiler that the toolchain's file names; empty where it is missing.
function(arenite_compiler_of toolchain variable)
  file(STRINGS ${PROJECT_SOURCE_DIR}/toolchains/${toolchain}.cmake lines
       REGEX "ARENITE_COMPILER_PREFIX |CMAKE_CXX_COMPILER ")
  if(NOT lines MATCHES "(ARENITE_COMPILER_PREFIX|CMAKE_CXX_COMPILER) ([^ )]+-)")
    set(${variable} "" PARENT_SCOPE)
    return()
  endif()
  string(MAKE_C_IDENTIFIER "ARENITE_${CMAKE_MATCH_2}CXX" found)
  find_program(${found} ${CMAKE_MATCH_2}g++)
  mark_as_advanced(${found})
  if(NOT ${found})
    set(${found} "")
  endif()
  set(${variable} ${${found}} PARENT_SCOPE)
endfunction()

# arenite_board_toolchains(variable): the toolchains that board files name and whose compilers are here.
function(arenite_board_toolchains variable)
  file(GLOB board_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/boards/*/board.json)
  set(toolchains)
  foreach(board_file IN LISTS board_files)
    file(READ ${board_file} board_json)
    string(JSON toolchain ERROR_VARIABLE absent GET "${board_json}" cpu toolchain)
    if(toolchain)
      arenite_compiler_of(${toolchain} compiler)
      if(compiler)
        list(APPEND toolchains ${toolchain})
      endif()
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${board_file})
  endforeach()
  list(REMOVE_DUPLICATES toolchains)
  set(${variable} ${toolchains} PARENT_SCOPE)
endfunction()

set(ARENITE_ONLY_FOR "" CACHE STRING
    "Files NAME.sources of `arenite plan --emit-cc`: only the contracts and forms they list are compiled, for images of \
those programs; empty: all are")

include(${CMAKE_CURRENT_LIST_DIR}/device_code.cmake)

# arenite_compile_in_batches(name files): where ARENITE_UNITY is on, so many files of a library are compiled as one,
# since most of a file's time is spent reading headers. Put files that read the same large header side by side.
function(arenite_compile_in_batches name files)
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${ARENITE_UNITY} UNITY_BUILD_BATCH_SIZE ${files})
endfunction()

# arenite_host_library(name [HOT|COLD] [APART] sources...): a static library for the host, exceptions and heap
# allowed. HOT: what it computes is worth -O3; COLD: it is not worth more than -O1; all others get -O2. Sanitizers make
# these -O1 for HOT and -O0 for the rest. APART: never in batches, since its files give different things the same name.
function(arenite_host_library name)
  cmake_parse_arguments(PARSE_ARGV 1 library "HOT;COLD;APART" "" "")
  if(ARENITE_SANITIZE)
    # Other files begin the batches than in a release tree: what begins one is compiled as if alone (tools/checks/alone.py).
    list(REVERSE library_UNPARSED_ARGUMENTS)
  endif()
  add_library(${name} STATIC ${library_UNPARSED_ARGUMENTS})
  if(ARENITE_SANITIZE)
    set(levels 0 0 1)
  else()
    set(levels 1 2 3)
  endif()
  if(library_COLD)
    list(GET levels 0 level)
  elseif(library_HOT)
    list(GET levels 2 level)
  else()
    list(GET levels 1 level)
  endif()
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O${level}>)
  if(NOT library_APART)
    arenite_compile_in_batches(${name} 8)
    arenite_precompile(${name} ${level})
  endif()
  arenite_runtime_root(root)
  target_include_directories(${name} PUBLIC ${root})
  arenite_tree_rules(${name})
endfunction()

# arenite_precompile(name level): a library that is optimized by this level reads a header that is compiled once
# (support/precompiled.h).
function(arenite_precompile name level)
  set(owner arenite_precompiled_${level})
  if(NOT TARGET ${owner})
    add_library(${owner} OBJECT ${PROJECT_SOURCE_DIR}/support/precompiled.cc)
    target_compile_options(${owner} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O${level}>)
    target_include_directories(${owner} PRIVATE ${PROJECT_SOURCE_DIR})
    target_precompile_headers(${owner} PRIVATE ${PROJECT_SOURCE_DIR}/support/precompiled.h)
    arenite_tree_rules(${owner})
  endif()
  target_precompile_headers(${name} REUSE_FROM ${owner})
endfunction()
# SPDX-License-Identifier: Apache-2.0
