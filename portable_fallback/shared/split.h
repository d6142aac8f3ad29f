// Shares a form's work among the platform's threads when there is enough of it, and lets the
// platform's pauses cut it.
#pragma once

#include <cstdint>

#include "core/platform.h"

namespace arenite {

// Runs task over pieces of [0, items). `work`: operations in all. After a cancel some pieces are
// left out.
void split(const Platform& platform, uint32_t items, uint64_t work, PieceFunction task,
           void* argument);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
