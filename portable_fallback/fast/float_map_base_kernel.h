// Functions of single floats with the vectors that every machine of an architecture has.
#pragma once

#include "portable_fallback/fast/float_map.h"
#include "portable_fallback/fast/float_softmax.h"

namespace arenite {

void float_map_base(FloatMap map, const FloatMapRun& run);
void float_softmax_base(const FloatSoftmaxRow& row);
void float_softmax_rows_base(const FloatSoftmaxRows& rows);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
