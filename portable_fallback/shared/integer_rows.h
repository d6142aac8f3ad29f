// What the forms of integer products share: the memory of their rows, and a convolution as their
// kernels see it.
#pragma once

#include "core/form.h"
#include "core/step.h"
#include "portable_fallback/fast/integer_products.h"

namespace arenite {

// Scratch for so many words of each thread, with room to align them: operands need not be.
// The first `shared` words are for all threads.
constexpr ScratchNeed rows_scratch(uint32_t words, uint32_t shared = 0) {
  constexpr uint32_t kWord = sizeof(uint32_t);
  return {.bytes = shared * kWord + kWord - 1, .thread_bytes = words * kWord};
}
uint32_t* rows_of(const Step& step);

// Sets what x's type and zero point mean to a kernel.
void set_numbers(const Step& step, int32_t zero_point, int32_t outside, IntegerProducts& products);

// The first image of a quantized convolution, without its results.
IntegerProducts conv_products(const Step& step);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
