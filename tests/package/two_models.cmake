# Added to examples/firmware by the test: further images with two models, one with its data in C++ source, its
# inputs lent, and a name of its own.
arenite_add_model(second_model ../digits/digits.onnx BOARD mps3-an547 NAMESPACE second DATA array
                  OPTIONS --io caller)
foreach(image two_models update)
  add_executable(${image} ${image}.cc board.cc)
  target_link_libraries(${image} PRIVATE digits second_model)
  target_compile_options(${image} PRIVATE -fno-exceptions -fno-rtti -Wall -Wextra -Werror)
  target_link_options(${image} PRIVATE -nostdlib -Wl,--gc-sections -T ${CMAKE_CURRENT_SOURCE_DIR}/two.ld)
  add_custom_target(run_${image}
    COMMAND qemu-system-arm -M mps3-an547 -nographic -monitor none -serial none
            -semihosting-config enable=on,target=native -kernel $<TARGET_FILE:${image}>
    DEPENDS ${image} VERBATIM)
endforeach()
# SPDX-License-Identifier: Apache-2.0
