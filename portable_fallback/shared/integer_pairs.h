// Serves the forms of products of two inputs of 8 bits: which steps they take, and a step as their
// kernels see it.
#pragma once

#include "core/step.h"
#include "portable_fallback/fast/integer_pairs.h"
#include "portable_fallback/shared/elementwise.h"

namespace arenite {

// The form's types are those of 8 bits.
bool takes_integer_pairs(const Step& step);
IntegerPairs integer_pairs(const Step& step);

inline IntegerPairRow pair_row(const ElementwiseRow& row) {
  return {
      {row.inputs[0], row.inputs[1]}, row.y, {row.steps[0], row.steps[1]}, row.y_step, row.count};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
