# arenite_add_model(): a model of ONNX or TensorFlow Lite becomes a static library and a header, in anybody's project.
#
#   arenite_add_model(TARGET MODEL... BOARD NAME|FILE.json
#                     [NAMESPACE name] [DATA incbin|array] [ARENAS script|bss]
#                     [WITHOUT_VERIFIER]
#                     [OPTIONS words of `arenite plan`...] [DEPENDS files...])
#
# TARGET        a static library: the program, what of the runtime it needs, its arenas. Link it and include
#               "NAMESPACE.h"; docs/firmware.md says what that holds.
# NAMESPACE     of the header and its files; default: TARGET, with _ for what a name may not hold
# DATA          incbin: the assembler reads the program (default where the compiler can); array: C++ source
# ARENAS        script: the linker script places each arena by INCLUDE NAMESPACE.ld, else linking fails (default on
#               bare machines); bss: arenas lie wherever .bss does (default, and all there is, under an
#               operating system)
# WITHOUT_VERIFIER  the program is believed, and what would prove it at each load is not linked
# OPTIONS       more of `arenite plan`, such as --optimize memory
# DEPENDS       files that OPTIONS name, so that a change plans again
#
# The planner runs on the building machine: ARENITE_HOST_TOOL (a variable of CMake or of the environment), the
# tool of this installation, or `arenite` in PATH, whose version has to be this one's.

# arenite_host_tool(variable): the arenite command that runs here. Stops with what was tried.
function(arenite_host_tool variable)
  get_property(expected GLOBAL PROPERTY ARENITE_VERSION)
  get_property(own GLOBAL PROPERTY ARENITE_TOOL)
  set(tried)
  if(NOT ARENITE_HOST_TOOL AND DEFINED ENV{ARENITE_HOST_TOOL})
    set(ARENITE_HOST_TOOL $ENV{ARENITE_HOST_TOOL})
  endif()
  if(ARENITE_HOST_TOOL)
    set(candidates ${ARENITE_HOST_TOOL})
  else()
    find_program(ARENITE_TOOL_IN_PATH arenite NO_CMAKE_FIND_ROOT_PATH NO_CMAKE_PATH NO_CMAKE_ENVIRONMENT_PATH
                 NO_CMAKE_SYSTEM_PATH)
    mark_as_advanced(ARENITE_TOOL_IN_PATH)
    set(candidates ${own})
    if(ARENITE_TOOL_IN_PATH)
      list(APPEND candidates ${ARENITE_TOOL_IN_PATH})
    endif()
  endif()
  foreach(candidate IN LISTS candidates)
    if(NOT EXISTS ${candidate})
      list(APPEND tried "${candidate}: there is no such file")
      continue()
    endif()
    execute_process(COMMAND ${candidate} --version RESULT_VARIABLE result OUTPUT_VARIABLE words
                    ERROR_VARIABLE words)
    string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" version "${words}")
    if(NOT result EQUAL 0)
      list(APPEND tried "${candidate}: does not run on this machine (${result})")
    elseif(NOT version STREQUAL expected)
      list(APPEND tried "${candidate}: version ${version}, this runtime is ${expected}")
    else()
      set(${variable} ${candidate} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  if(NOT tried)
    set(tried "there is none in PATH, nor beside this package")
  endif()
  list(JOIN tried "\n  " tried)
  message(FATAL_ERROR "arenite_add_model: expected an arenite command of version ${expected} that "
          "runs on the building machine, to plan models with; found:\n  ${tried}\n"
          "Name it with -DARENITE_HOST_TOOL=/path/to/bin/arenite.")
endfunction()

function(arenite_add_model target)
  cmake_parse_arguments(PARSE_ARGV 1 model "WITHOUT_VERIFIER" "BOARD;NAMESPACE;DATA;ARENAS" "OPTIONS;DEPENDS")
  set(where "arenite_add_model(${target})")
  if(NOT model_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${where}: expected a model, found none")
  endif()
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

  set(inputs)
  foreach(file IN LISTS model_UNPARSED_ARGUMENTS)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    list(APPEND inputs ${file})
  endforeach()
  # As the tool tells files from names.
  set(board_file)
  if(model_BOARD MATCHES "/|\\.json$")
    cmake_path(ABSOLUTE_PATH model_BOARD BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE
               OUTPUT_VARIABLE board_file)
    set(model_BOARD ${board_file})
  endif()

  if(TARGET arenite::tool AND NOT ARENITE_HOST_TOOL AND NOT DEFINED ENV{ARENITE_HOST_TOOL})
    set(tool arenite::tool)
  else()
    arenite_host_tool(tool)
  endif()
  if(NOT TARGET arenite_core)
    get_property(runtime GLOBAL PROPERTY ARENITE_RUNTIME)
    add_subdirectory(${runtime} ${CMAKE_BINARY_DIR}/arenite_runtime EXCLUDE_FROM_ALL)
  endif()
  arenite_runtime_root(root)

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/arenite/${target})
  set(stem ${folder}/${model_NAMESPACE})
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(
    OUTPUT ${stem}.h ${stem}.cc ${stem}.ld ${stem}.arn
    COMMAND ${tool} plan ${inputs} --board ${model_BOARD} -o ${stem}.arn --emit-cc ${folder}
            --cc-name ${model_NAMESPACE} --cc-data ${model_DATA} ${model_OPTIONS}
    DEPENDS ${inputs} ${board_file} ${tool} ${model_DEPENDS}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    COMMENT "Planning ${target} for ${model_BOARD}"
    VERBATIM)
  set_source_files_properties(${stem}.cc PROPERTIES OBJECT_DEPENDS ${stem}.arn)

  add_library(${target} STATIC ${stem}.cc ${stem}.h)
  # What the application sees: the header and what it includes, not the runtime behind it.
  target_include_directories(${target} PUBLIC ${folder} ${root}/include PRIVATE ${root})
  target_compile_features(${target} PUBLIC cxx_std_17 PRIVATE cxx_std_20)
  target_link_libraries(${target} PRIVATE arenite_device_rules arenite_portable arenite_core)
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
