// Reads a TensorFlow Lite model into graphs: the second front end beside ONNX's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "planner/import/model/front_end.h"

namespace arenite::planner::tflite {

// Like planner::import_model: one method a signature, named by its key; the only one has no name.
std::vector<ImportedMethod> import_methods(std::span<const std::byte> file,
                                           const ImportOptions& options);

// The open names of all methods: inputs have the names that the model and its signatures give them.
OpenNames open_names(std::span<const std::byte> file);

// Counts each operator in all subgraphs.
std::map<std::string, uint32_t> count_operators(std::span<const std::byte> file);

// The operator that does a TensorFlow Lite operator's work: one of ONNX, whose first operator of
// programs it becomes unless `op` names another; or an operator of programs without a name in ONNX.
struct Said {
  constexpr Said(const char* name) : onnx(name) {}  // NOLINT(google-explicit-constructor)
  constexpr Said(Op own) : op(own) {}               // NOLINT(google-explicit-constructor)
  constexpr Said(const char* name, Op which) : onnx(name), op(which) {}

  const char* onnx = "";
  std::optional<Op> op = std::nullopt;
};

// A row of names.def: an operator by the name that models have for it.
struct NamedOperator {
  std::string_view name;
  Said said = "";
  const char* why = nullptr;  // it is refused; null where it is not
  const char* instead = "";
};
std::vector<NamedOperator> named_operators();

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
