// An ONNX model as plain structs, read from its bytes: what import needs, without protobuf.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "planner/graph/obstacles.h"
#include "planner/import/model/tensor_proto.h"

namespace arenite::planner {

struct Model;

// One attribute of a node. Only the member of its kind is set.
struct ModelAttribute {
  enum class Kind { kFloat, kInt, kString, kTensor, kFloats, kInts, kStrings, kGraph, kOther };
  std::string name;
  Kind kind = Kind::kOther;
  std::string kind_name;  // as ONNX says it: "ints", "graph"
  float f = 0;
  int64_t i = 0;
  std::string s;
  TensorData t;
  std::vector<float> floats;
  std::vector<int64_t> ints;
  std::vector<std::string> strings;
  std::shared_ptr<const Model> graph;  // without an opset of its own
};

struct ModelNode {
  std::string name, op_type, domain;
  std::vector<std::string> inputs, outputs;  // "" where left out
  std::vector<ModelAttribute> attributes;
  uint32_t index = 0;  // in the model
  // Why an attribute could not be read, and the nearest thing that works; it and those after are
  // left out.
  std::string unsupported = {}, instead = {};
  // The words of messages about it, if the model's format has other words than ONNX's; else empty.
  std::string described = {};
};

// A dimension of a graph input: a number, a symbol, or unknown (neither).
struct ModelDim {
  std::optional<int64_t> value;
  std::string symbol;
  // The size that the model has for a dimension that it leaves open, in TensorFlow Lite's.
  std::optional<int64_t> stored = {};
};

struct ModelInput {
  std::string name;
  DType dtype = DType::kNone;
  bool four_bits = false;  // int4 or uint4: here int8 or uint8
  bool has_shape = false;
  std::vector<ModelDim> dims;
  // Why it cannot be one, and the nearest thing that works; all but the name is then unset.
  std::string unsupported = {}, instead = {};
};

struct Model {
  std::string name;
  int64_t opset = 0;
  // Unsupported parts: an opset that import does not know, initializers that were left `unread`.
  std::vector<Obstacle> obstacles;
  std::vector<std::string> unread;  // names
  bool known_opset = true;
  std::vector<ModelInput> inputs;  // those without an initializer
  std::vector<ModelInput> outputs;
  std::vector<NamedTensor> initializers;
  std::vector<ModelNode> nodes;
  uint64_t external_bytes = 0;  // of tensors, in other files
};

// Names a node for messages: "node 'conv1' (op 'Conv')", "node #3 (op 'Conv')".
std::string describe(const ModelNode& node);

// The node's name, or its operator and index where it has none: "Conv_3".
std::string source_name(const ModelNode& node);

// Throws InputError if the bytes are no ONNX model, or a damaged one. The model lists all parts
// that import does not support, so that the user sees them at once. `folder` is the folder of
// external data; without it, tensors that have some are left unread.
Model read_model(std::span<const std::byte> file,
                 const std::optional<std::filesystem::path>& folder = {});

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
