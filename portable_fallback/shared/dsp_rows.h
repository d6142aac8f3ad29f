// What the forms of integer products for Arm's DSP extension share: the memory of their rows, and a
// convolution as their kernels see it.
#pragma once

#include "core/form.h"
#include "core/step.h"
#include "portable_fallback/fast/integer_products_dsp_kernel.h"

namespace arenite {

// Scratch for so many words of each thread, with room to align them: operands need not be.
constexpr ScratchNeed rows_scratch(uint32_t words) {
  return {.bytes = alignof(uint32_t) - 1,
          .thread_bytes = words * static_cast<uint32_t>(sizeof(uint32_t))};
}
uint32_t* rows_of(const Step& step);

// Sets what x's type and zero point mean to a kernel.
void set_numbers(const Step& step, int32_t zero_point, int32_t outside, DspProducts& products);

// The first image of a quantized convolution, without its results.
DspProducts conv_products(const Step& step);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
