// The ways of rounding results that vectors know.
#pragma once

#include "portable_fallback/fast/integer_results.h"

namespace arenite {
namespace {

enum class Way { kTwice, kOnceToEven, kOnceUp, kFloat32, kEach };
inline Way way_of(const IntegerResults& results) {
  if (results.finish == nullptr) return Way::kEach;  // sums themselves
  if (results.factor_step > 1 || results.bias_step > 1) return Way::kEach;
  if (results.rounds_twice) return Way::kTwice;
  if (results.raises) return Way::kEach;
  if (results.halves_to_even) return Way::kOnceToEven;
  if (results.halves_up) return Way::kOnceUp;
  return results.in_float32 ? Way::kFloat32 : Way::kEach;
}

// Calls visit<way>() with one of those that vectors know. Returns false where results are made each
// by itself.
template <typename Visit>
inline bool with_way(const IntegerResults& results, const Visit& visit) {
  switch (way_of(results)) {
    case Way::kTwice:
      visit.template operator()<Way::kTwice>();
      return true;
    case Way::kOnceToEven:
      visit.template operator()<Way::kOnceToEven>();
      return true;
    case Way::kOnceUp:
      visit.template operator()<Way::kOnceUp>();
      return true;
    case Way::kFloat32:
      visit.template operator()<Way::kFloat32>();
      return true;
    case Way::kEach:
      break;
  }
  return false;
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
