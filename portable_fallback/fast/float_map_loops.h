// Functions of single floats, neighbors in a vector; compiled for each instruction set like
// float_tiles.h. Each element takes the same instructions, wherever a range begins: what fills no
// piece is computed in a copy of one.
#pragma once

#include "portable_fallback/fast/float_map.h"
#include "portable_fallback/fast/float_powers.h"
#include "portable_fallback/fast/float_turns.h"

namespace arenite {
namespace {

// Replaces the results of numbers whose magnitude is no less than F::kReach, and of NaN.
template <typename F>
inline void replace_beyond_reach(const FloatMapRun& run, const float* x, float* results) {
  Words beyond = {};
  for (uint32_t j = 0; j < kFloatMapPiece; j += kLanes) {
    const Words magnitude = __builtin_bit_cast(Words, load(x + j)) & 0x7fffffffu;
    beyond |= __builtin_bit_cast(Words, magnitude >= __builtin_bit_cast(uint32_t, F::kReach));
  }
  uint32_t any = 0;
  for (uint32_t lane = 0; lane < kLanes; ++lane) any |= beyond[lane];
  if (any == 0) [[likely]]
    return;
  for (uint32_t j = 0; j < kFloatMapPiece; ++j) {
    if (!(__builtin_fabsf(x[j]) < F::kReach)) results[j] = run.beyond(x[j]);
  }
}

template <typename F>
void map_floats(const FloatMapRun& run) {
  constexpr uint32_t kPiece = kFloatMapPiece;
  const float alpha = run.alpha;
  const float beta = run.beta;
  float few[kPiece] = {};
  for (uint32_t i = 0; i < run.count; i += kPiece) {
    const uint32_t left = run.count - i;
    const float* from = few;
    if (left < kPiece) {
      take(few, run.x + i, left);
    } else {
      from = run.x + i;
    }
    float results[kPiece];
#pragma GCC unroll 16
    for (uint32_t j = 0; j < kPiece; j += kLanes) {
      store(results + j, F::of(load(from + j), alpha, beta));
    }
    if constexpr (requires { F::kReach; }) replace_beyond_reach<F>(run, from, results);
    if (left < kPiece) {
      put(run.y + i, results, left);
    } else {
      put(run.y + i, results, kPiece);
    }
  }
}

inline void map_with(FloatMap map, const FloatMapRun& run) {
  switch (map) {
    case FloatMap::kSigmoid:
      return map_floats<Sigmoid>(run);
    case FloatMap::kHardSigmoid:
      return map_floats<HardSigmoid>(run);
    case FloatMap::kHardSwish:
      return map_floats<HardSwish>(run);
    case FloatMap::kSwish:
      return map_floats<Swish>(run);
    case FloatMap::kLeakyRelu:
      return map_floats<LeakyRelu>(run);
    case FloatMap::kTanh:
      return map_floats<Tanh>(run);
    case FloatMap::kErf:
      return map_floats<Erf>(run);
    case FloatMap::kGelu:
      return map_floats<Gelu>(run);
    case FloatMap::kGeluByTanh:
      return map_floats<GeluByTanh>(run);
    case FloatMap::kExp:
      return map_floats<Exp>(run);
    case FloatMap::kLog:
      return map_floats<Log>(run);
    case FloatMap::kElu:
      return map_floats<Elu>(run);
    case FloatMap::kSelu:
      return map_floats<Selu>(run);
    case FloatMap::kCelu:
      return map_floats<Celu>(run);
    case FloatMap::kFloor:
      return map_floats<Floor>(run);
    case FloatMap::kCeil:
      return map_floats<Ceil>(run);
    case FloatMap::kRound:
      return map_floats<Round>(run);
    case FloatMap::kSoftplus:
      return map_floats<Softplus>(run);
    case FloatMap::kSin:
      return map_floats<Sin>(run);
    case FloatMap::kCos:
      return map_floats<Cos>(run);
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
