// Describes the neighboring elements that kernels of functions of single floats are given, as plain
// pointers and numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"

namespace arenite {

inline constexpr uint32_t kFloatMapPiece = 16;  // that are read before any of them is written

// y[i] = f(x[i]); x may be y.
struct FloatMapRun {
  Src<float> x;
  Dst<float> y;
  uint32_t count;
  float alpha, beta;  // the attributes of f
  float (*beyond)(
      float x);  // f of numbers that its vectors do not reach; null where they reach all
};

enum class FloatMap : uint8_t {
  kSigmoid,
  kHardSigmoid,  // alpha * x + beta, between 0 and 1
  kHardSwish,    // x times its hard sigmoid
  kSwish,        // x times the sigmoid of alpha * x
  kLeakyRelu,    // alpha * x below 0
  kTanh,
  kErf,
  kGelu,        // x times the normal distribution's share below x
  kGeluByTanh,  // the same by an approximation
  kExp,
  kLog,
  kElu,   // alpha * (e^x - 1) below 0
  kSelu,  // beta times that
  kCelu,  // alpha * (e^(x / alpha) - 1) below 0
  kFloor,
  kCeil,
  kRound,  // halves to even numbers
  kSoftplus,
  kSin,
  kCos,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
