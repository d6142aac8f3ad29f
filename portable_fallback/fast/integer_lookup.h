// Describes a table of the results of 8-bit integers to the kernels that read it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"

namespace arenite {

struct ByteTable {
  Src<std::byte> values;  // 256, from that of the least number on
  bool is_unsigned;       // of uint8, else int8
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
