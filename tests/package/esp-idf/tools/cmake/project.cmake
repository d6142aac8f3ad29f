# A stand-in for ESP-IDF's build system, for a test: project(), idf_component_register(), project_include.cmake of
# components, flags that every component gets. The application runs on an MPS2 AN386 with the start-up code of
# examples/makefile (ARENITE_EXAMPLES), compiled for a Cortex-M4 without its DSP instructions in the plan.
set(board ${ARENITE_EXAMPLES}/makefile)
cmake_path(SET idf_stand_in NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../..)
set(idf_flags -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard)

macro(idf_component_register)
  cmake_parse_arguments(idf "" "" "SRCS;REQUIRES" ${ARGN})
  cmake_path(GET CMAKE_CURRENT_LIST_DIR FILENAME idf_name)
  set(COMPONENT_LIB __idf_${idf_name})
  if(idf_SRCS)
    add_library(${COMPONENT_LIB} STATIC ${idf_SRCS})
    set_property(GLOBAL APPEND PROPERTY IDF_LIBRARIES ${COMPONENT_LIB})
  endif()
endmacro()

macro(project name)
  _project(${name} C CXX ASM)
  add_compile_options(${idf_flags} -Os)
  file(GLOB idf_components ${EXTRA_COMPONENT_DIRS}/*)
  foreach(component IN LISTS idf_components)
    include(${component}/project_include.cmake OPTIONAL)
  endforeach()
  foreach(component IN LISTS idf_components ITEMS ${CMAKE_SOURCE_DIR}/main)
    cmake_path(GET component FILENAME idf_name)
    add_subdirectory(${component} ${CMAKE_BINARY_DIR}/esp-idf/${idf_name})
  endforeach()
  get_property(idf_libraries GLOBAL PROPERTY IDF_LIBRARIES)
  file(WRITE ${CMAKE_BINARY_DIR}/start.c "void app_main(void);\nint main(void) {\n  app_main();\n  return 0;\n}\n")
  file(WRITE ${CMAKE_BINARY_DIR}/digits.ld "")  # the arenas are in .bss
  add_executable(${name}.elf ${CMAKE_BINARY_DIR}/start.c ${board}/board.c ${idf_stand_in}/../sdk/print.c)
  set_target_properties(${name}.elf PROPERTIES LINKER_LANGUAGE C)
  target_compile_definitions(${name}.elf PRIVATE printk=printf)
  target_include_directories(${name}.elf PRIVATE ${board})
  target_link_libraries(${name}.elf PRIVATE ${idf_libraries})
  target_link_options(${name}.elf PRIVATE ${idf_flags} -nostartfiles --specs=nano.specs --specs=nosys.specs
    -Wl,--gc-sections -Wl,--defsym=end=bss_end -L${CMAKE_BINARY_DIR} -T${board}/mps2-an386.ld)
endmacro()
# SPDX-License-Identifier: Apache-2.0
