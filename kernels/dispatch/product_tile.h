// Tiles of sums of products that groups compute through shared memory
// (kernels/glsl/include/product_tile.glsl): how many of them a large GPU needs.
#pragma once

#include <cstdint>

namespace arenite {

inline constexpr uint32_t kTileColumns = 64;
// A choice says the rows of an invocation, of which a tile has eight times as many.
inline constexpr uint32_t kTileRowChoices = 2;
constexpr uint32_t tile_rows(uint32_t choice) { return 8u >> choice; }

// Fewer of these groups take longer than invocations with a tile each: on an H200 a product of 228
// takes 36 us instead of 51, one of 168 takes 20 instead of 18.
inline constexpr uint64_t kTileGroupsMin = 192;
// With so many or more, larger tiles are faster.
inline constexpr uint64_t kTileGroupsMany = 256;
// Sums of fewer products are over before what the next step needs is there.
inline constexpr uint32_t kTileDepthMin = 64;

// The tiles of one product of so many rows and columns.
constexpr uint64_t tiles_of_product(uint64_t rows, uint64_t columns, uint32_t choice) {
  const uint64_t tile = 8 * uint64_t{tile_rows(choice)};
  return (rows + tile - 1) / tile * ((columns + kTileColumns - 1) / kTileColumns);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
