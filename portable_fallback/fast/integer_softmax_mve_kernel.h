// Computes the softmax of rows of 8-bit integers with Arm's MVE.
#pragma once

#include "portable_fallback/fast/integer_softmax.h"

namespace arenite {

void softmax_rows_mve(const IntegerSoftmax& softmax, const SoftmaxRows& rows);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
