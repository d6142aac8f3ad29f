// Serves the forms of sums, products and other scales of 16-bit integers: which steps they take,
// and a step as their kernels see it.
#pragma once

#include "core/step.h"
#include "portable_fallback/fast/int16_pairs.h"
#include "portable_fallback/shared/elementwise.h"

namespace arenite {

bool takes_int16_sums(const Step& step);
Int16SumFactors int16_sums(const Step& step);

bool takes_int16_pairs(const Step& step);
Int16Factor int16_pairs(const Step& step);

bool takes_int16_requantize(const Step& step);
Int16Factor int16_requantize(const Step& step);

inline Int16PairRow int16_row(const ElementwiseRow& row) {
  constexpr auto kBytes = static_cast<ptrdiff_t>(sizeof(int16_t));
  return {{as<int16_t>(row.inputs[0]), as<int16_t>(row.inputs[1])},
          as<int16_t>(row.y),
          {row.steps[0] / kBytes, row.steps[1] / kBytes},
          row.y_step / kBytes,
          row.count};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
