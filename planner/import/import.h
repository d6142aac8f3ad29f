// Reads a model into graphs: typed, every shape known, constants evaluated. ONNX or TensorFlow
// Lite.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "planner/import/model/front_end.h"
#include "planner/import/onnx/import.h"

namespace arenite::planner {

// Any model: TensorFlow Lite's by their file identifier, ONNX's else. Throws what import_onnx
// throws.
std::vector<ImportedMethod> import_model(std::span<const std::byte> file,
                                         const ImportOptions& options);

OpenNames open_names(std::span<const std::byte> file, bool is_tflite);

// Counts each operator of a model: "Conv", "com.example.Fancy", "CONV_2D". Throws InputError if the
// file is no model.
std::map<std::string, uint32_t> model_operators(std::span<const std::byte> file,
                                                bool is_tflite = false);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
