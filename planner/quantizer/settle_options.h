// An ONNX model with what options say of it written into it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "planner/import/import.h"

namespace arenite::planner::quantizer {

// The model with the inputs of --fix as initializers, and with the outputs of --outputs. `graph` is
// what it is imported as with these options.
std::vector<std::byte> settle_options(std::span<const std::byte> file, const ImportOptions& options,
                                      const Graph& graph);

}  // namespace arenite::planner::quantizer
// SPDX-License-Identifier: Apache-2.0
