// Matrix products of many rows: groups bring tiles of both matrices into shared memory.
#pragma once

#include "kernels/dispatch/product_tile.h"
#include "kernels/dispatch/rules.h"

namespace arenite {

// A step's choice says the rows of a tile, and the parts that k is cut into; the last one that
// tiles may be wide.
inline constexpr uint32_t kMatMulTileChoices = 4 * kTileRowChoices + 1;
bool accepts_matmul_tile(const Step& step);
uint32_t choose_matmul_tile(const Step& step, const Capabilities& device);
uint64_t scratch_bytes_of_matmul_tile(const Step& step);
Status emit_matmul_tile(const Step& step, const DispatchSink& sink);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
