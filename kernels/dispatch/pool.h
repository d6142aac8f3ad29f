// Steps that reduce windows: max_pool and average_pool.
#pragma once

#include "core/attributes.h"
#include "kernels/dispatch/builder.h"

namespace arenite {

bool supports_pool(const Step& step);
Status emit_pool(const Step& step, bool average, const DispatchSink& sink);

// What push words of two halves can hold.
inline bool fits_half(uint32_t number) { return number <= 0xffff; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
