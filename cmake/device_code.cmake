# The rules of device code, as targets and functions: for this tree and for an installed runtime, which any
# project compiles with its own compiler and flags.
include(${CMAKE_CURRENT_LIST_DIR}/fast_kernels.cmake)

# No exceptions, no RTTI, no guards; floating point to the letter, whatever a project says of its own code.
add_library(arenite_device_rules INTERFACE)
target_compile_features(arenite_device_rules INTERFACE cxx_std_20)
target_compile_options(arenite_device_rules INTERFACE
  -fno-fast-math -ffp-contract=off -fno-math-errno -ffunction-sections -fdata-sections
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-use-cxa-atexit>
  # Vector units of microcontrollers flush subnormal numbers.
  $<$<STREQUAL:${CMAKE_SYSTEM_NAME},Generic>:-fno-tree-vectorize>
  $<$<BOOL:${ARENITE_FREESTANDING}>:-fstack-usage -fcallgraph-info=su>)

# Code that runs once a load or once a step, where its size is asked for: what GCC hoists out of loops
# it pays for in registers saved and loads repeated. The last four were found by trying each optimization
# of GCC 12 alone: 96 bytes of an image on Cortex-M4.
add_library(arenite_rarely_run INTERFACE)
target_compile_options(arenite_rarely_run INTERFACE $<$<AND:$<CONFIG:MinSizeRel>,$<CXX_COMPILER_ID:GNU>>:
  -fno-tree-loop-im -fno-move-loop-invariants -fno-forward-propagate
  -fno-tree-ter -fno-tree-tail-merge -fno-if-conversion -fno-caller-saves>)

# arenite_runtime_root(variable): the folder above this one, in which core/, ops/, portable_fallback/, schema/
# and include/ lie; includes of Arenite's own code start there.
function(arenite_runtime_root variable)
  cmake_path(GET CMAKE_CURRENT_FUNCTION_LIST_DIR PARENT_PATH root)
  set(${variable} ${root} PARENT_SCOPE)
endfunction()

# arenite_keep_only(variable): takes from a list of contracts or forms what no program of ARENITE_ONLY_FOR needs.
function(arenite_keep_only variable)
  if(NOT ARENITE_ONLY_FOR)
    return()
  endif()
  set(needed ops/check.cc portable_fallback/shared/safe_distance.cc)
  foreach(file IN LISTS ARENITE_ONLY_FOR)
    file(STRINGS ${file} files_of_program)
    list(APPEND needed ${files_of_program})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  endforeach()
  arenite_runtime_root(root)
  list(TRANSFORM needed PREPEND ${root}/)
  set(kept)
  foreach(source IN LISTS ${variable})
    if(source IN_LIST needed)
      list(APPEND kept ${source})
    endif()
  endforeach()
  set(${variable} ${kept} PARENT_SCOPE)
endfunction()

# arenite_device_library(name sources...): a static library that obeys the rules of device code.
function(arenite_device_library name)
  add_library(${name} STATIC ${ARGN})
  arenite_runtime_root(root)
  target_include_directories(${name} PUBLIC ${root})
  target_link_libraries(${name} PRIVATE arenite_device_rules)
  arenite_follow_tree(${name})
endfunction()

# arenite_nanopb_library(name nanopb_folder sources...): a static library of nanopb's code or of what its
# generator writes. Compiled as it is, under the rules of device code but not our warnings; as C++, so that a
# project needs no C compiler.
function(arenite_nanopb_library name folder)
  add_library(${name} STATIC ${ARGN})
  set(c_files ${ARGN})
  list(FILTER c_files INCLUDE REGEX "\\.c$")
  set_source_files_properties(${c_files} PROPERTIES LANGUAGE CXX)
  arenite_runtime_root(root)
  target_include_directories(${name} PUBLIC ${root})
  target_include_directories(${name} SYSTEM PUBLIC ${folder})
  # These change nanopb's structs, so everything that includes pb.h has to agree on them. The names are
  # ours alone, so that an image may hold another nanopb too.
  target_compile_definitions(${name} PUBLIC PB_NO_ERRMSG PB_BUFFER_ONLY PB_WITHOUT_64BIT PB_FIELD_32BIT
                                            PB_SYSTEM_HEADER=<schema/nanopb_names.h>)
  target_compile_options(${name} PRIVATE -w -fno-exceptions -fno-unwind-tables
                                         -fno-asynchronous-unwind-tables)
  target_link_libraries(${name} PRIVATE arenite_device_rules arenite_rarely_run)
  arenite_follow_tree(${name})
endfunction()

# arenite_optimize_kernels(name): the library is of kernels, which are worth -O3 on a machine with room for code.
function(arenite_optimize_kernels name)
  if(NOT CMAKE_SYSTEM_NAME STREQUAL "Generic" AND NOT ARENITE_SANITIZE)
    # Loops over channels become vector code; the bits stay, since each sum keeps its order.
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O3>)
  endif()
endfunction()

# arenite_model_libraries(): the contracts and kernels of the models of a project. They begin with what every operator
# takes; arenite_add_model() adds what its model does.
function(arenite_model_libraries)
  arenite_runtime_root(root)
  arenite_device_library(arenite_ops_of_models ${root}/ops/check.cc)
  target_link_libraries(arenite_ops_of_models PUBLIC arenite_core)
  arenite_device_library(arenite_portable_of_models ${root}/portable_fallback/shared/safe_distance.cc)
  target_link_libraries(arenite_portable_of_models PUBLIC arenite_ops_of_models)
  arenite_optimize_kernels(arenite_portable_of_models)
  set_target_properties(arenite_ops_of_models arenite_portable_of_models PROPERTIES EXCLUDE_FROM_ALL ON)
endfunction()

# Applies the rules of this tree alone to a library (cmake/arenite.cmake). Elsewhere a warning is no reason to stop.
function(arenite_follow_tree name)
  if(COMMAND arenite_tree_rules)
    set_target_properties(${name} PROPERTIES ARENITE_DEVICE_CODE ON)
    arenite_tree_rules(${name})
  else()
    target_compile_options(${name} PRIVATE -Wno-error)
  endif()
endfunction()
# SPDX-License-Identifier: Apache-2.0
