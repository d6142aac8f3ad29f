// Tables that are read between their places.
#pragma once

#include <cstdint>

#include "ops/check.h"

namespace arenite {

// Elements of a table that has the value at every 128th number of 16 bits, and one behind the last.
inline constexpr uint32_t kInterpolatedTable = 513;

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0
