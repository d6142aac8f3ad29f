// A TensorFlow Lite model as plain structs whose indices, sizes and names have been checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/types.h"
#include "planner/graph/graph.h"

namespace arenite::tflite_schema {
struct Operator;
struct SparsityParameters;
}  // namespace arenite::tflite_schema

namespace arenite::planner::tflite {

struct Tensor {
  uint32_t index = 0;
  std::string name;            // may be empty, or another's
  DType dtype = DType::kNone;  // kNone: see `unsupported`
  std::string unsupported;     // why it cannot be used
  std::vector<int64_t> dims;
  std::vector<int64_t> signature;  // dims, -1 where the model leaves one open; or empty
  bool constant = false;
  std::span<const std::byte> data;  // of a constant: its elements, or what `sparsity` describes
  bool variable = false;            // keeps its elements between runs
  bool packed = false;              // two integers of 4 bits a byte, the first in its lower half
  // The numbers that its integers stand for; nothing if they stand for themselves. The fault says
  // why the model's quantization makes no sense, "" if it does.
  std::optional<Quantization> quantization;
  std::string quantization_fault;
  const tflite_schema::SparsityParameters* sparsity = nullptr;
};

struct Operator {
  uint32_t index = 0;
  int32_t code = 0;
  std::string name;  // "CONV_2D"; of a custom one its own
  bool custom = false;
  std::vector<int32_t> inputs;   // tensors, -1 where left out
  std::vector<int32_t> outputs;  // tensors
  std::span<const std::byte> custom_options;
  const tflite_schema::Operator* table = nullptr;  // in the file
};

struct Subgraph {
  uint32_t index = 0;
  std::string name;
  std::vector<Tensor> tensors;
  std::vector<Operator> operators;
  std::vector<uint32_t> inputs, outputs;  // tensors
};

// A name that callers have for a subgraph, and their names for its inputs and outputs.
struct Signature {
  struct Entry {
    std::string name;
    uint32_t tensor = 0;
  };
  std::string key;
  uint32_t subgraph = 0;
  std::vector<Entry> inputs, outputs;
};

// Points into the file's bytes.
struct Model {
  std::vector<Subgraph> subgraphs;  // at least one
  std::vector<Signature> signatures;
};

// The elements of a constant as bytes of its type, those of 4 bits widened to 8.
std::vector<std::byte> elements_of(const Tensor& tensor);

// The one scale of the tensor's integers; nothing where there is none, or several.
inline std::optional<Scaled> one_scale(const Tensor& tensor) {
  return tensor.quantization ? tensor.quantization->one() : std::nullopt;
}

// "tensor 12 ('conv/bias')".
std::string describe(const Tensor& tensor);
// "subgraph 0, operator 3 (CONV_2D)".
std::string describe(const Subgraph& subgraph, const Operator& op);

// The name of a builtin operator, "builtin operator 300" where it is not known.
std::string builtin_name(int32_t code);

// Throws InputError where the bytes are no TensorFlow Lite model, or a damaged one, naming
// subgraph, operator and tensor. `file` has to be 16-aligned, and to live as long as the result.
Model read_model(std::span<const std::byte> file);

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
