// Resizes lines of neighboring channels with the vectors that every 64-bit x86 and Arm has.
#pragma once

#include "portable_fallback/fast/resize_channels.h"

namespace arenite {

void resize_channels_base(const ResizeChannels& line);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
