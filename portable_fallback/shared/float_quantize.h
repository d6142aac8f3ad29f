// Runs the forms that turn floats into integers of 8 or 16 bits by a kernel of rows of one scale.
#pragma once

#include "core/form.h"
#include "core/step.h"

namespace arenite {

// To int8 or uint8, and to int16.
bool takes_float_quantize(const Step& step);
bool takes_float_quantize16(const Step& step);

uint64_t float_quantize_distance(const Step& step, uint32_t input);

Status run_float_quantize(const Step& step, const Platform& platform);
Status run_float_quantize16(const Step& step, const Platform& platform);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
