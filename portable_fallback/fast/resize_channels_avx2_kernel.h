// Resizes lines of neighboring channels with AVX2.
#pragma once

#include "portable_fallback/fast/resize_channels.h"

namespace arenite {

void resize_channels_avx2(const ResizeChannels& line);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
