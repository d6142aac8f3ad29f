// An ONNX model while it is changed: who makes a tensor, who reads it, what of it is constant; and
// what is added to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "onnx.pb.h"
#include "planner/graph/graph.h"
#include "planner/import/model/tensor_proto.h"

namespace arenite::planner::quantizer {

inline constexpr int kNobody = -1;

class ModelEditor {
 public:
  // `graph` is what the model is imported as, without passes: its values have the model's names.
  // External data, which lies in `folder`, is taken into the model.
  ModelEditor(std::span<const std::byte> file, const Graph& graph,
              const std::optional<std::filesystem::path>& folder);

  const onnx::GraphProto& graph() const { return model_.graph(); }
  onnx::NodeProto& node(int n) { return *model_.mutable_graph()->mutable_node(n); }
  const onnx::NodeProto& node(int n) const { return model_.graph().node(n); }
  int node_count() const { return model_.graph().node_size(); }
  int64_t opset() const { return opset_; }

  // The node that makes a tensor, kNobody for inputs and initializers; and those that read it, once
  // for each time, those of inner graphs as kNobody.
  int producer(const std::string& tensor) const;
  std::vector<int> readers(const std::string& tensor) const;
  // The one node that reads a tensor that is no output of the model; kNobody where there is none.
  int sole_reader(const std::string& tensor) const;
  bool is_output(const std::string& tensor) const { return outputs_.contains(tensor); }

  // The graph's value of the tensor; null if import does not know the tensor.
  const Value* value(const std::string& tensor) const;
  bool is_float(const std::string& tensor) const;     // float32
  bool is_constant(const std::string& tensor) const;  // known while planning

  // The attribute of a node, or what it is where it is left out.
  static int64_t int_attribute(const onnx::NodeProto& node, const char* name, int64_t otherwise);
  static float float_attribute(const onnx::NodeProto& node, const char* name, float otherwise);
  static std::string string_attribute(const onnx::NodeProto& node, const char* name,
                                      const std::string& otherwise);

  // --- Changes. Names that nobody has are made of `wanted`.
  std::string unique_name(const std::string& wanted);
  std::string add_initializer(const std::string& wanted, const TensorData& data);
  std::string add_floats(const std::string& wanted, const std::vector<uint32_t>& dims,
                         const std::vector<float>& elements);
  // Nodes to stand at the beginning, and behind node `n`.
  onnx::NodeProto& add_first();
  onnx::NodeProto& add_behind(int n);
  // Takes a node out; its output is made by node `by` from now on.
  void merge(int n, int by);
  // Says that nodes of a domain occur.
  void use_domain(const std::string& domain, int64_t version);

  // The model with all changes; initializers and nodes that nobody reads any more go. Throws
  // InputError where it is larger than a message may be.
  std::vector<std::byte> finish();

 private:
  void find_uses();

  onnx::ModelProto model_;
  int64_t opset_ = 0;
  std::map<std::string, const Value*> values_;
  std::map<std::string, int> producers_;
  std::map<std::string, std::vector<int>> readers_;
  std::set<std::string> outputs_, names_;
  std::set<int> removed_;
  std::vector<onnx::NodeProto> first_;
  std::map<int, std::vector<onnx::NodeProto>> behind_;
};

}  // namespace arenite::planner::quantizer
// SPDX-License-Identifier: Apache-2.0
