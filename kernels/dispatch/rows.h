// Steps that reduce along some axes: each combination of the other axes' indices is a row.
#pragma once

#include "kernels/dispatch/builder.h"

namespace arenite {

bool supports_rows(const Step& step);
// Dispatches a shader of glsl/include/rows.glsl (specialised by whether a group does a row, and by
// the op) over the rows that `axes` (a bit each) leaves.
Status emit_rows(const Step& step, Shader shader, uint32_t axes, const DispatchSink& sink);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
