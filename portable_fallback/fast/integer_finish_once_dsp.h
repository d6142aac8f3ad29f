// Chooses the one copy of the code that makes results: of those that are rounded twice, or once
// too.
#pragma once

#include "portable_fallback/fast/integer_once_dsp_kernel.h"
#include "portable_fallback/fast/integer_vector_dsp_kernel.h"

namespace arenite {
namespace {

// Results of any kind of sums[count][places]. kOnce: they may be rounded once.
template <bool kOnce>
void finish_results(const IntegerResults& results, uint32_t output, uint32_t count,
                    const int32_t* sums, uint32_t places, Dst<int8_t> y, size_t y_c, size_t y_w) {
  if constexpr (kOnce) {
    finish_once_dsp(results, output, count, sums, places, y, y_c, y_w);
  } else {
    finish_any_dsp(results, output, count, sums, places, y, y_c, y_w);
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
