// The transforms of Winograd convolutions with the vectors that every machine of an architecture
// has.
#pragma once

#include "portable_fallback/fast/float_winograd.h"

namespace arenite {

void float_winograd_inputs_base(const FloatWinograd& conv, uint32_t first, uint32_t end,
                                const WinogradMatrices& v);
void float_winograd_weights_base(const FloatWinograd& conv, const WinogradStrip& strip,
                                 const WinogradMatrices& u);
uint32_t float_winograd_sums_base(const FloatWinograd& conv, uint32_t first, uint32_t end,
                                  const WinogradStrip& strip, const WinogradMatrices& m);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
