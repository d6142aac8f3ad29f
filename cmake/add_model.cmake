# arenite_add_model(): a model of ONNX or TensorFlow Lite becomes a static library and a header, in anybody's project.
#
#   arenite_add_model(TARGET MODEL... BOARD NAME|FILE.json
#                     [NAMESPACE name] [DATA incbin|array] [ARENAS script|bss]
#                     [WITHOUT_VERIFIER]
#                     [OPTIONS words of `arenite plan`...] [DEPENDS files...])
#
# TARGET        a static library: the program, what of the runtime it needs, its arenas. Link it and include
#               "NAMESPACE.h", or in C "NAMESPACE_c.h"; docs/firmware.md says what these hold.
# NAMESPACE     of the header and its files; default: TARGET, with _ for what a name may not hold
# DATA          incbin: the assembler reads the program (default where the compiler can); array: C++ source
# ARENAS        script: the linker script places each arena by INCLUDE NAMESPACE.ld, else linking fails (default on
#               bare machines); bss: arenas lie wherever .bss does (default, and all there is, under an
#               operating system)
# WITHOUT_VERIFIER  the program is believed, and what would prove it at each load is not linked
# OPTIONS       more of `arenite plan`, such as --optimize memory
# DEPENDS       files that OPTIONS name, or in which a model has its weights, so that a change plans again
#
# The model is planned when the project is configured (plan_model.cmake), and again by the build when a file
# changes: a wrong board, or a model that does not fit, is an error before anything is compiled, and only the kernels
# that the programs of all models of the project need are compiled at all (docs/decisions/0015).
#
# The planner runs on the building machine: ARENITE_HOST_TOOL (a variable of CMake or of the environment), the
# tool of this installation, or `arenite` in PATH, whose version has to be this one's.
include(${CMAKE_CURRENT_LIST_DIR}/plan_model.cmake)

# arenite_model_files(variable where): the models among the words of arenite_add_model() that no keyword takes, as
# absolute paths.
function(arenite_model_files variable where)
  set(files)
  foreach(word IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH word BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE OUTPUT_VARIABLE file)
    get_source_file_property(made ${file} GENERATED)
    if(NOT made AND NOT EXISTS ${file})
      if(word MATCHES "^[A-Z_]+$")
        message(FATAL_ERROR "${where}: unknown argument ${word}; expected a model, or one of BOARD, NAMESPACE, DATA, "
                            "ARENAS, WITHOUT_VERIFIER, OPTIONS, DEPENDS")
      endif()
      message(FATAL_ERROR "${where}: there is no model ${file}")
    elseif(IS_DIRECTORY ${file})
      message(FATAL_ERROR "${where}: ${file}: expected a model, found a folder")
    endif()
    list(APPEND files ${file})
  endforeach()
  if(NOT files)
    message(FATAL_ERROR "${where}: expected a model, found none")
  endif()
  set(${variable} ${files} PARENT_SCOPE)
endfunction()

# arenite_use_kernels(target root sources...): the target links the contracts and kernels in these files of the
# runtime at `root`. Files join the libraries of all models of the project, none is compiled twice.
function(arenite_use_kernels target root)
  foreach(file IN LISTS ARGN)
    set(library arenite_portable_of_models)
    if(file MATCHES "^ops/")
      set(library arenite_ops_of_models)
    endif()
    get_target_property(present ${library} SOURCES)
    if(NOT ${root}/${file} IN_LIST present)
      target_sources(${library} PRIVATE ${root}/${file})
    endif()
  endforeach()
  arenite_compile_fast_kernels(arenite_portable_of_models ${root})
  target_link_libraries(${target} PRIVATE arenite_portable_of_models)
endfunction()

function(arenite_add_model target)
  cmake_parse_arguments(PARSE_ARGV 1 model "WITHOUT_VERIFIER" "BOARD;NAMESPACE;DATA;ARENAS" "OPTIONS;DEPENDS")
  set(where "arenite_add_model(${target})")
  foreach(key BOARD NAMESPACE DATA ARENAS)
    if(key IN_LIST model_KEYWORDS_MISSING_VALUES)
      message(FATAL_ERROR "${where}: ${key}: expected a value, found none")
    endif()
  endforeach()
  arenite_model_files(inputs ${where} ${model_UNPARSED_ARGUMENTS})
  if(NOT model_BOARD)
    message(FATAL_ERROR "${where}: expected BOARD with a board's name or file")
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT CXX IN_LIST languages)
    message(FATAL_ERROR "${where}: the runtime is C++20; expected CXX among the languages of project(), "
                        "found: ${languages}")
  endif()
  if(NOT model_NAMESPACE)
    string(MAKE_C_IDENTIFIER ${target} model_NAMESPACE)
  endif()
  if(NOT model_DATA)
    set(model_DATA array)
    if(CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang|ARMClang|IntelLLVM)$" AND NOT APPLE AND NOT WIN32)
      set(model_DATA incbin)
    endif()
  endif()
  if(NOT model_ARENAS)
    set(model_ARENAS script)
  endif()
  foreach(choice "DATA;incbin;array" "ARENAS;script;bss")
    list(POP_FRONT choice key)
    if(NOT model_${key} IN_LIST choice)
      list(JOIN choice " or " choice)
      message(FATAL_ERROR "${where}: ${key}: expected ${choice}, found ${model_${key}}")
    endif()
  endforeach()

  # As the tool tells files from names.
  set(board_file)
  if(model_BOARD MATCHES "/|\\.json$")
    cmake_path(ABSOLUTE_PATH model_BOARD BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE
               OUTPUT_VARIABLE board_file)
    set(model_BOARD ${board_file})
  endif()

  if(NOT TARGET arenite_core)
    get_property(runtime GLOBAL PROPERTY ARENITE_RUNTIME)
    add_subdirectory(${runtime} ${CMAKE_BINARY_DIR}/arenite_runtime EXCLUDE_FROM_ALL)
  endif()
  arenite_runtime_root(root)
  arenite_planning_tool(tool in_build)
  foreach(file IN LISTS inputs)
    get_source_file_property(made ${file} GENERATED)
    if(made)
      set(in_build ON)
    endif()
  endforeach()

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/arenite/${target})
  set(stem ${folder}/${model_NAMESPACE})
  file(MAKE_DIRECTORY ${folder})
  set(words plan ${inputs} --board ${model_BOARD} -o ${stem}.arn --emit-cc ${folder}
            --cc-name ${model_NAMESPACE} --cc-data ${model_DATA} ${model_OPTIONS})
  set(depends ${inputs} ${board_file} ${model_DEPENDS})
  if(in_build)
    add_custom_command(
      OUTPUT ${stem}.h ${stem}.cc ${stem}_c.h ${stem}_c.cc ${stem}.ld ${stem}.arn
      COMMAND ${tool} ${words}
      DEPENDS ${depends} ${tool}
      WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
      COMMENT "Planning ${target} for ${model_BOARD}"
      VERBATIM)
    # A target of its own waits for no library, so that the plan still comes first.
    add_custom_target(${target}_plan DEPENDS ${stem}.arn)
  else()
    arenite_plan_model(${target} ${stem} BOARD ${model_BOARD} COMMAND ${tool} ${words} DEPENDS ${depends})
  endif()
  set_source_files_properties(${stem}.cc PROPERTIES OBJECT_DEPENDS ${stem}.arn)
  if(model_DATA STREQUAL "incbin")
    # Link-time optimization would assemble it elsewhere, where the program is not found.
    set_source_files_properties(${stem}.cc PROPERTIES COMPILE_OPTIONS -fno-lto)
  endif()

  add_library(${target} STATIC ${stem}.cc ${stem}.h ${stem}_c.cc ${stem}_c.h)
  if(in_build)
    add_dependencies(${target} ${target}_plan)
  endif()
  # The application sees the header and what it includes, not the runtime behind it.
  target_include_directories(${target} PUBLIC ${folder} ${root}/include PRIVATE ${root})
  target_compile_features(${target} PUBLIC cxx_std_17 PRIVATE cxx_std_20)
  target_link_libraries(${target} PRIVATE arenite_device_rules)
  if(NOT in_build)
    file(STRINGS ${stem}.sources sources)
    arenite_use_kernels(${target} ${root} ${sources})
  elseif(TARGET arenite_portable)
    target_link_libraries(${target} PRIVATE arenite_portable)
  else()
    # Nobody knows yet which.
    file(GLOB sources RELATIVE ${root} ${root}/ops/*.cc
         ${root}/portable_fallback/*/*.cc)
    arenite_use_kernels(${target} ${root} ${sources})
  endif()
  target_link_libraries(${target} PRIVATE arenite_core)
  if(model_WITHOUT_VERIFIER)
    target_compile_definitions(${target} PRIVATE ARENITE_WITHOUT_VERIFIER)
  endif()
  if(model_ARENAS STREQUAL "bss")
    target_compile_definitions(${target} PRIVATE ARENITE_ARENAS_PLACED)
  elseif(CMAKE_SYSTEM_NAME STREQUAL "Generic")
    target_link_directories(${target} INTERFACE ${folder})
    set_property(TARGET ${target} PROPERTY INTERFACE_LINK_DEPENDS ${stem}.ld)
  endif()
endfunction()
# SPDX-License-Identifier: Apache-2.0
