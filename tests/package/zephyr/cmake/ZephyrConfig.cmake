# A stand-in for Zephyr's CMake package, for a test: its targets `app` and `zephyr_interface`, configuration from
# prj.conf, modules by ZEPHYR_EXTRA_MODULES. There is no kernel behind it: the application runs on an MPS2 AN386 with
# the start-up code of examples/makefile (ARENITE_EXAMPLES).
enable_language(C CXX ASM)

file(STRINGS ${CMAKE_SOURCE_DIR}/prj.conf lines REGEX "^CONFIG_[A-Z0-9_]+=")
foreach(line IN LISTS lines)
  string(REGEX MATCH "^([A-Z0-9_]+)=(.*)$" line "${line}")
  set(${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
endforeach()

cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH stand_in)
set(board ${ARENITE_EXAMPLES}/makefile)
add_library(zephyr_interface INTERFACE)
target_compile_options(zephyr_interface INTERFACE -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard -Os
  $<$<COMPILE_LANGUAGE:CXX>:-std=gnu++20>)
target_include_directories(zephyr_interface INTERFACE ${stand_in}/include)

add_library(app STATIC ${board}/board.c ${stand_in}/../sdk/print.c)
target_include_directories(app PRIVATE ${board})
target_link_libraries(app PUBLIC zephyr_interface)

foreach(module IN LISTS ZEPHYR_EXTRA_MODULES)
  add_subdirectory(${module}/zephyr ${CMAKE_BINARY_DIR}/modules)
endforeach()

# The image, once the application has said all.
function(zephyr_image)
  file(WRITE ${CMAKE_BINARY_DIR}/empty.c "")
  file(WRITE ${CMAKE_BINARY_DIR}/digits.ld "")  # the arenas are in .bss
  add_executable(zephyr_final ${CMAKE_BINARY_DIR}/empty.c)
  set_target_properties(zephyr_final PROPERTIES OUTPUT_NAME zephyr SUFFIX .elf LINKER_LANGUAGE C)
  target_link_libraries(zephyr_final PRIVATE -Wl,--whole-archive app -Wl,--no-whole-archive)
  target_link_options(zephyr_final PRIVATE -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard -nostartfiles
    --specs=nano.specs --specs=nosys.specs -Wl,--gc-sections -Wl,--defsym=end=bss_end -L${CMAKE_BINARY_DIR} -T${board}/mps2-an386.ld)
endfunction()
cmake_language(DEFER CALL zephyr_image)
# SPDX-License-Identifier: Apache-2.0
