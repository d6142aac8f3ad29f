// The transforms of Winograd convolutions with AVX2.
#pragma once

#include "portable_fallback/fast/float_winograd.h"

namespace arenite {

void float_winograd_inputs_avx2(const FloatWinograd& conv, uint32_t first, uint32_t end,
                                const WinogradMatrices& v);
void float_winograd_weights_avx2(const FloatWinograd& conv, const WinogradStrip& strip,
                                 const WinogradMatrices& u);
uint32_t float_winograd_sums_avx2(const FloatWinograd& conv, uint32_t first, uint32_t end,
                                  const WinogradStrip& strip, const WinogradMatrices& m);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
