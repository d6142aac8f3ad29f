# Added to examples/firmware by the test: a second image with two models, one with its data in C++ source, its
# inputs lent, and a name of its own.
arenite_add_model(second_model ../digits/digits.onnx BOARD mps3-an547 NAMESPACE second DATA array
                  OPTIONS --io caller)
add_executable(two two_models.cc board.cc)
target_link_libraries(two PRIVATE digits second_model)
target_compile_options(two PRIVATE -fno-exceptions -fno-rtti -Wall -Wextra -Werror)
target_link_options(two PRIVATE -nostdlib -Wl,--gc-sections -T ${CMAKE_CURRENT_SOURCE_DIR}/two.ld)
add_custom_target(run_two
  COMMAND qemu-system-arm -M mps3-an547 -nographic -monitor none -serial none
          -semihosting-config enable=on,target=native -kernel $<TARGET_FILE:two>
  DEPENDS two VERBATIM)
# SPDX-License-Identifier: Apache-2.0
