// Softmax of rows of 8-bit integers by tables, whose shares are rounded once, halves to even.
#pragma once

#include "portable_fallback/fast/integer_softmax_tables.h"

namespace arenite {

// One row after the other: its elements are read, then read again from the first on, each before
// its result is written.
void softmax_rows_scalar(const TabledSoftmax& softmax, const SoftmaxRows& rows);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
