// Facts and code of the forms that compute softmax of floats along one axis, or its logarithm, with
// vector kernels.
#pragma once

#include "core/form.h"
#include "core/step.h"
#include "portable_fallback/fast/float_softmax.h"

namespace arenite {

using FloatSoftmaxKernel = void (*)(const FloatSoftmaxRow& row);
using FloatSoftmaxRowsKernel = void (*)(const FloatSoftmaxRows& rows);

// Whether elements along the axis lie side by side in x and in y.
bool takes_float_softmax(const Step& step);
uint64_t float_softmax_distance(const Step& step, uint32_t input);
Status run_float_softmax(const Step& step, const Platform& platform, FloatSoftmaxKernel kernel);

// Returns true for short rows and for rows whose elements are no neighbors: those run faster side
// by side than one by one.
bool takes_float_softmax_rows(const Step& step);
uint64_t float_softmax_rows_distance(const Step& step, uint32_t input);
Status run_float_softmax_rows(const Step& step, const Platform& platform,
                              FloatSoftmaxRowsKernel kernel);

constexpr Form float_softmax_facts(uint8_t plainest) {
  return {.parallel = true,
          .in_place = kAnyPlace,
          .kin = plainest,
          .safe_distance = float_softmax_distance,
          .accepts = takes_float_softmax};
}
constexpr Form float_softmax_rows_facts(uint8_t plainest) {
  return {.parallel = true,
          .in_place = kAnyPlace,
          .kin = plainest,
          .safe_distance = float_softmax_rows_distance,
          .accepts = takes_float_softmax_rows};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
