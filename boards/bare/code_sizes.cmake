# Measures the code and the stack of each form, by which the planner estimates firmware.

# arenite_code_sizes(board generated): code_sizes.json of the build tree, by which the planner estimates the
# code and bounds the stack of firmware that this toolchain builds: measured on an embedded image of the
# board, whose program lies in the folder `generated`, linked without its forms and then with each form there
# is. Boards of one toolchain differ little.
function(arenite_code_sizes board generated)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(measure ${PROJECT_SOURCE_DIR}/tools/target/code_sizes.py)
  set(bare ${generated}/no_forms)
  add_custom_command(OUTPUT ${bare}/program.h ${bare}/program.cc
    COMMAND Python3::Interpreter ${measure} --without-forms ${generated} ${bare}
    DEPENDS ${measure} ${generated}/program.h ${generated}/program.cc
    COMMENT "Taking the forms out of a program" VERBATIM)
  add_library(code-sizes OBJECT ${PROJECT_SOURCE_DIR}/boards/bare/embedded.cc ${bare}/program.cc)
  target_include_directories(code-sizes PRIVATE ${bare} ${generated} ${PROJECT_SOURCE_DIR}
                                                ${PROJECT_SOURCE_DIR}/include)
  target_compile_definitions(code-sizes PRIVATE ARENITE_ARENAS_PLACED)
  target_link_libraries(code-sizes PRIVATE arenite_warnings arenite_device_rules)
  add_library(form-symbols OBJECT ${PROJECT_SOURCE_DIR}/tools/target/form_symbols.cc)
  target_include_directories(form-symbols PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(form-symbols PRIVATE arenite_warnings arenite_device_rules)

  set(script ${CMAKE_CURRENT_SOURCE_DIR}/memory.ld)
  set(link_file ${PROJECT_BINARY_DIR}/code_sizes_link.json)
  arenite_call_graphs(folders)
  arenite_embedded_words(${board} "$<JOIN:$<TARGET_OBJECTS:code-sizes>,\", \">" words)
  file(GENERATE OUTPUT ${link_file} CONTENT "{\"toolchain\": \"${CMAKE_SYSTEM_PROCESSOR}\",
 \"objdump\": \"${CMAKE_OBJDUMP}\", \"form_symbols\": \"$<TARGET_OBJECTS:form-symbols>\",
 \"call_graphs\": [\"${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/code-sizes.dir\", \"${folders}\"],
 \"link\": [\"${words}\"]}\n")
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/code_sizes.json
    COMMAND Python3::Interpreter ${measure} ${link_file} ${PROJECT_BINARY_DIR}/code_sizes.json
    DEPENDS ${measure} ${PROJECT_SOURCE_DIR}/tools/target/stack_bounds.py ${arenite_image_libraries}
            ${PROJECT_SOURCE_DIR}/tools/checks/map_budget.py ${PROJECT_SOURCE_DIR}/tools/checks/stack_usage.py
            ${PROJECT_SOURCE_DIR}/tools/checks/stack_rules.txt ${link_file} ${script}
            ${PROJECT_SOURCE_DIR}/schema/read_forms.py ${PROJECT_SOURCE_DIR}/schema/forms.def
            $<TARGET_OBJECTS:code-sizes> $<TARGET_OBJECTS:form-symbols> $<TARGET_OBJECTS:${board}-start>
    COMMENT "Measuring the code and the stack of each form" VERBATIM COMMAND_EXPAND_LISTS)
  add_custom_target(arenite_code_sizes ALL DEPENDS ${PROJECT_BINARY_DIR}/code_sizes.json)
endfunction()
# SPDX-License-Identifier: Apache-2.0
