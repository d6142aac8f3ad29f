// The forms of operators that sum integer products, by how wide the sums are and how weights are
// stored.
#pragma once

#include "ops/packings.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/blocked_rows.h"

namespace arenite {

// A form for weights as the model stores them.
constexpr Form integer_product_form(Op op, uint8_t number,
                                    decltype(Form::safe_distance) safe_distance,
                                    decltype(Form::run) run) {
  return make_form(op, number, {.parallel = true, .safe_distance = safe_distance, .run = run});
}

// The same as `stored`, of weights of two elements a byte.
constexpr Form of_packed_weights(Form stored, uint8_t number, decltype(Form::run) run) {
  stored.packings = {layout_bit(Layout::kPacked4)};
  stored.run = run;
  return make_form(stored.op, number, stored);
}

// The same of weights in blocks of any size.
constexpr Form of_blocked_weights(Form stored, uint8_t number, decltype(Form::run) run) {
  stored.packings = kAnyBlocks;
  stored.accepts = takes_any_blocks;
  stored.run = run;
  return make_form(stored.op, number, stored);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
