// Matrix products of many rows: groups bring tiles of both matrices into shared memory.
#pragma once

#include "kernels/dispatch/rules.h"

namespace arenite {

// A step's choice says the rows of a tile: 64 or 32.
inline constexpr uint32_t kMatMulTileChoices = 2;
bool accepts_matmul_tile(const Step& step);
uint32_t choose_matmul_tile(const Step& step, const Capabilities& device);
Status emit_matmul_tile(const Step& step, const DispatchSink& sink);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
