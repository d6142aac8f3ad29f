// Compiles lines of resized channels for SSE2 or NEON.
#include "portable_fallback/fast/resize_channels_base_kernel.h"

#define ARENITE_VECTOR_BYTES 16
#define ARENITE_TILE_ROWS 1
#define ARENITE_TILE_PANELS 1

#include "portable_fallback/fast/resize_channels_loops.h"

namespace arenite {

void resize_channels_base(const ResizeChannels& line) { resize_line(line); }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
