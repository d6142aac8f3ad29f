# What every target of Arenite shares: strict warnings, the rules of device code, sanitizers.

add_library(arenite_warnings INTERFACE)
target_compile_options(arenite_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wshadow -Wconversion -Wsign-conversion -Wcast-align
  -Wundef -Wdouble-promotion $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor -Wold-style-cast>
  # GCC 12 sees overlaps in any inlined "text" + std::string (GCC bug 105651), and overflows in vectors that
  # grow (105329).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-stringop-overflow>)

# Code that runs on the device: no exceptions, no RTTI, no guards, no contraction of a*b+c.
add_library(arenite_device_rules INTERFACE)
target_compile_options(arenite_device_rules INTERFACE
  -ffp-contract=off -fno-math-errno -ffunction-sections -fdata-sections
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-use-cxa-atexit>
  $<$<BOOL:${ARENITE_FREESTANDING}>:-fno-tree-vectorize -fstack-usage -fcallgraph-info=su>)

# Code that runs once a load or once a step, where its size is asked for: what GCC hoists out of loops
# it pays for in registers saved and loads repeated.
add_library(arenite_rarely_run INTERFACE)
target_compile_options(arenite_rarely_run INTERFACE $<$<AND:$<CONFIG:MinSizeRel>,$<C_COMPILER_ID:GNU>>:
  -fno-tree-loop-im -fno-move-loop-invariants -fno-forward-propagate>)

add_library(arenite_sanitizers INTERFACE)
if(ARENITE_SANITIZE)
  target_compile_options(arenite_sanitizers INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(arenite_sanitizers INTERFACE -fsanitize=address,undefined)
endif()

# arenite_device_library(name sources...): a static library that obeys the rules of device code.
function(arenite_device_library name)
  add_library(${name} STATIC ${ARGN})
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE arenite_warnings arenite_device_rules
                                PUBLIC arenite_sanitizers)
endfunction()

# arenite_host_library(name sources...): a static library for the host, exceptions and heap allowed.
function(arenite_host_library name)
  add_library(${name} STATIC ${ARGN})
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE arenite_warnings PUBLIC arenite_sanitizers)
endfunction()
# SPDX-License-Identifier: Apache-2.0
