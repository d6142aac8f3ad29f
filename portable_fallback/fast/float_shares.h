// Turns the scores of a row into shares of one (softmax), neighbors in a vector; compiled for each
// instruction set like float_tiles.h.
#pragma once

#include "portable_fallback/fast/float_functions.h"

namespace arenite {
namespace {

// scores[i] = e^(scale * scores[i]) / their sum. `count` is not 0. The floats behind them, up to a
// multiple of 16, are overwritten. NaN makes all shares NaN, and so does an infinite score that is
// the greatest.
void share_scores(float* scores, uint32_t count, float scale) {
  constexpr uint32_t kPiece = 16;
  const uint32_t end = (count + kPiece - 1) / kPiece * kPiece;
  for (uint32_t i = count; i < end; ++i) scores[i] = scores[0];
  Vector most = load(scores) * scale;
  for (uint32_t i = 0; i < end; i += kLanes) {
    const Vector score = load(scores + i) * scale;
    store(scores + i, score);
    most = greater_of(score, most);
  }
  float greatest = most[0];
  for (uint32_t i = 1; i < kLanes; ++i) greatest = most[i] > greatest ? most[i] : greatest;
  for (uint32_t i = count; i < end; ++i) scores[i] = -__builtin_inff();
  Vector sums = {};
  for (uint32_t i = 0; i < end; i += kLanes) {
    const Vector power = power_of_e(load(scores + i) - greatest);
    store(scores + i, power);
    sums += power;
  }
  float sum = 0;
  for (uint32_t i = 0; i < kLanes; ++i) sum += sums[i];
  const float factor = 1.0f / sum;
  for (uint32_t i = 0; i < end; i += kLanes) store(scores + i, load(scores + i) * factor);
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
