// Runs the forms that turn floats into integers of 8 bits by a kernel of rows of one scale.
#pragma once

#include "core/form.h"
#include "core/step.h"

namespace arenite {

bool takes_float_quantize(const Step& step);
uint64_t float_quantize_distance(const Step& step, uint32_t input);
Status run_float_quantize(const Step& step, const Platform& platform);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
