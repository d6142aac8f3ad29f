// Writes the model of a case in the format that it is of.
#pragma once

#include <cstddef>
#include <vector>

#include "tests/planner/cases/case.h"

namespace arenite::planner::cases {

// The model's file. Throws InputError for attributes, options and names of tensors that the format
// cannot have.
std::vector<std::byte> onnx_model(const Case& test);
std::vector<std::byte> tflite_model(const Case& test);

}  // namespace arenite::planner::cases
// SPDX-License-Identifier: Apache-2.0
