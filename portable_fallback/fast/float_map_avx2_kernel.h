// Functions of single floats with AVX2.
#pragma once

#include "portable_fallback/fast/float_map.h"
#include "portable_fallback/fast/float_softmax.h"

namespace arenite {

void float_map_avx2(FloatMap map, const FloatMapRun& run);
void float_softmax_avx2(const FloatSoftmaxRow& row);
void float_softmax_rows_avx2(const FloatSoftmaxRows& rows);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
