// TensorFlow Lite's functions of one 16-bit number, as tables: what its reference kernels give, bit
// for bit.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "planner/fixed_point/tflite.h"

namespace arenite::planner::tflite {

// At x + 32768, what y is, in units of 2^-15; zero points are 0. Kernels interpolate between places
// of a smaller table, whose places these are not.
std::vector<int32_t> logistic_of_int16(float x_scale);
std::vector<int32_t> tanh_of_int16(float x_scale);

// 513 entries: at every 128th x and one behind the last, so moved that the interpolated middle
// between two is near the function too. Computed in float32.
std::vector<int32_t> interpolated_table(const Scaled& x, const Scaled& y,
                                        const std::function<float(float)>& function);

// The tables of softmax of int16, of 513 entries: e^x from -10 to 0, and 1 / (1 + x) from 0 to 1,
// in units of 2 / 65535. Computed in double.
std::vector<int32_t> softmax_exponentials();
std::vector<int32_t> softmax_reciprocals();

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
