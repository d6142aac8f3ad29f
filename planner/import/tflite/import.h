// Reads a TensorFlow Lite model into graphs: the second front end beside ONNX's.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "planner/import.h"

namespace arenite::planner::tflite {

// As planner::import_model: one method a signature, named by its key; the only one has no name.
std::vector<ImportedMethod> import_methods(std::span<const std::byte> file,
                                           const ImportOptions& options);

// What the inputs of all methods are called, by the model and by its signatures.
std::vector<std::string> input_names(std::span<const std::byte> file);

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
