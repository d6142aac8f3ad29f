// Requantization of the numbers of cases.
#include "tests/ops/requantized.h"

#include <algorithm>

#include "tests/ops/wide.h"

namespace arenite::ops_test {

Number rounded_product(const Requantized& product, Rounding rounding) {
  const auto sum = static_cast<int64_t>(product.sum);
  const auto multiplier = static_cast<int32_t>(product.multiplier);
  const auto shift = static_cast<int32_t>(product.shift);
  return product.wide
             ? requantized_by_definition(sum, multiplier, shift, rounding)
             : requantized_by_definition(static_cast<int32_t>(sum), multiplier, shift, rounding);
}

Number finished_product(const Requantized& product, const Requantization& output) {
  const Number moved = rounded_product(product, output.rounding) + output.zero_point;
  return std::min(std::max(moved, static_cast<Number>(output.low)),
                  static_cast<Number>(output.high));
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
