// Compiles lines of resized channels for AVX2.
#include "portable_fallback/fast/resize_channels_avx2_kernel.h"

#define ARENITE_VECTOR_BYTES 32
#define ARENITE_TILE_ROWS 1
#define ARENITE_TILE_PANELS 1

#include "portable_fallback/fast/resize_channels_loops.h"

namespace arenite {

void resize_channels_avx2(const ResizeChannels& line) { resize_line(line); }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
