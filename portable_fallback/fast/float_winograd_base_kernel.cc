// Compiles the transforms of Winograd convolutions for SSE2 or NEON.
#include "portable_fallback/fast/float_winograd_base_kernel.h"

#if defined(__SSE2__) || defined(__aarch64__)

#define ARENITE_VECTOR_BYTES 16
#define ARENITE_TILE_ROWS 1
#define ARENITE_TILE_PANELS 1

#include "portable_fallback/fast/float_winograd_loops.h"

namespace arenite {

void float_winograd_inputs_base(const FloatWinograd& conv, uint32_t first, uint32_t end,
                                const WinogradMatrices& v) {
  transform_inputs(conv, first, end, v);
}

void float_winograd_weights_base(const FloatWinograd& conv, const WinogradStrip& strip,
                                 const WinogradMatrices& u) {
  transform_weights(conv, strip, u);
}

uint32_t float_winograd_sums_base(const FloatWinograd& conv, uint32_t first, uint32_t end,
                                  const WinogradStrip& strip, const WinogradMatrices& m) {
  return transform_sums(conv, first, end, strip, m);
}

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0
