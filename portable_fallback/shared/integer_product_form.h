// The forms of operators that sum integer products, by how wide the sums are and how weights are
// stored.
#pragma once

#include "ops/quantized.h"
#include "portable_fallback/forms.h"

namespace arenite {

// A form for weights as the model stores them.
constexpr Form integer_product_form(Op op, uint8_t number,
                                    decltype(Form::safe_distance) safe_distance,
                                    decltype(Form::run) run) {
  return make_form(op, number, {.parallel = true, .safe_distance = safe_distance, .run = run});
}

// The same as `stored`, of weights that are packed.
constexpr Form of_packed_weights(Form stored, uint8_t number, decltype(Form::run) run) {
  stored.packings = kQuantizedPackings;
  stored.accepts = has_packed_weights;
  stored.run = run;
  return make_form(stored.op, number, stored);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
