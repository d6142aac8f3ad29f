# Added to examples/firmware by the test: further images with two models, in two targets, one with its data in C++
# source, its inputs lent, and a name of its own; in one target, as docs/firmware.md has it; and in two targets
# that want the same memory.
arenite_add_model(second_model ../digits/digits.onnx BOARD mps3-an547 NAMESPACE second DATA array
                  OPTIONS --io caller)
include(several.cmake)
foreach(name small_a small_b)
  arenite_add_model(${name} ../digits/digits.onnx BOARD small.json)
endforeach()
function(add_image image script)
  add_executable(${image} ${image}.cc board.cc)
  target_link_libraries(${image} PRIVATE ${ARGN})
  target_compile_options(${image} PRIVATE -fno-exceptions -fno-rtti -Wall -Wextra -Werror)
  target_link_options(${image} PRIVATE -nostdlib -Wl,--gc-sections -T ${CMAKE_CURRENT_SOURCE_DIR}/${script})
  add_custom_target(run_${image}
    COMMAND qemu-system-arm -M mps3-an547 -nographic -monitor none -serial none
            -semihosting-config enable=on,target=native -kernel $<TARGET_FILE:${image}>
    DEPENDS ${image} VERBATIM)
endfunction()
add_image(two_models two.ld digits second_model)
add_image(update two.ld digits second_model)
add_image(several several.ld senses)
add_image(crowded crowded.ld small_a small_b)
# SPDX-License-Identifier: Apache-2.0
