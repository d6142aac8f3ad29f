// Weights of 16 bits that kernels of whole lines read as float32.
#pragma once

#include "core/form.h"
#include "core/step.h"
#include "portable_fallback/shared/float_kernel.h"

namespace arenite {

// Returns whether kernels may read a convolution's weights by lines of places, all groups at once:
// each group has one channel, or as few channels as columns.
bool reads_by_lines(const Tensor& w, uint32_t groups);

// Returns the bytes of scratch that these weights are widened in: 0 where none are.
uint64_t widened_bytes(const Tensor& w, uint32_t groups);

// Returns the scratch of a convolution, which either copies or widens weights. It copies nothing
// where each group has one channel and one column.
ScratchNeed with_widened(const ScratchNeed& copies, const Tensor& w, uint32_t groups);

// Widens weights that are not float32 into the step's scratch, and lets p read them there.
void widen_weights(const Step& step, const FloatKernel& kernel, FloatProducts& p);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
