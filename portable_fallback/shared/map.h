// The walk of elementwise forms of one input: rows of neighbors, or pieces that are brought
// together where strides leave none.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"
#include "core/platform.h"
#include "portable_fallback/shared/loop.h"

namespace arenite {

// The common loop of output 0 (operand 0) and input 0 (operand 1); of rank 0 when there is nothing
// to do.
NestedLoop map_loop(const Step& step);

// The safe distance of input 0 in that loop; other inputs are read before anything is written.
uint64_t map_distance(const Step& step, uint32_t input);

// y[i] = f(x[i]) for i < count; x may be y. `context` holds what else f depends on.
using MapRow = void (*)(const void* context, Src<std::byte> x, Dst<std::byte> y, uint32_t count);

// Bytes of elements of a row that are brought together, and computed at once, where they are no
// neighbors.
inline constexpr uint32_t kMapTogether = 64;

struct Map {
  MapRow row;
  const void* context;
  uint32_t work = 1;  // operations an element
};
Status run_map(const Step& step, const Platform& platform, const Map& map);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
