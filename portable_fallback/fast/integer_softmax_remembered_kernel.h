// Computes the softmax of rows of 8-bit integers, and remembers exponentials.
#pragma once

#include "portable_fallback/fast/integer_softmax.h"

namespace arenite {

inline constexpr uint32_t kSoftmaxDifferences = 256;  // of elements of 8 bits
inline constexpr int32_t kNoExponential = -1;

struct RememberedSoftmax : IntegerSoftmax {
  // The exponentials of differences 0, -1, -2 ..., kNoExponential where none was made.
  int32_t* exponentials;
};

// Makes it forget all of them.
void forget_exponentials(const RememberedSoftmax& softmax);
void softmax_rows_remembered(const RememberedSoftmax& softmax, const SoftmaxRows& rows);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
