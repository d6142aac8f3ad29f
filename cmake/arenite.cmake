# What every target of this tree shares: strict warnings, the rules of device code, sanitizers.

add_library(arenite_warnings INTERFACE)
target_compile_options(arenite_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wcast-align
  -Wundef -Wdouble-promotion $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor -Wold-style-cast>
  $<$<BOOL:${ARENITE_WARNINGS_AS_ERRORS}>:-Werror>
  # GCC 12 sees overlaps in any inlined "text" + std::string (GCC bug 105651), and overflows in vectors that
  # grow (105329).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-stringop-overflow>)

add_library(arenite_sanitizers INTERFACE)
if(ARENITE_SANITIZE)
  target_compile_options(arenite_sanitizers INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(arenite_sanitizers INTERFACE -fsanitize=address,undefined)
endif()

# What each library of this tree has beside what it is: warnings, sanitizers. On a host it may become part of a
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

include(${CMAKE_CURRENT_LIST_DIR}/device_code.cmake)

# arenite_host_library(name sources...): a static library for the host, exceptions and heap allowed.
function(arenite_host_library name)
  add_library(${name} STATIC ${ARGN})
  arenite_runtime_root(root)
  target_include_directories(${name} PUBLIC ${root})
  arenite_tree_rules(${name})
endfunction()
# SPDX-License-Identifier: Apache-2.0
