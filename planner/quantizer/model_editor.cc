// Changes ONNX models: nodes and initializers are added beside the old ones and put together at
// last.
#include "planner/quantizer/model_editor.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <limits>
#include <utility>

#include "planner/import/model/external_data.h"

namespace arenite::planner::quantizer {
namespace {

const onnx::AttributeProto* attribute(const onnx::NodeProto& node, const char* name) {
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    if (attribute.name() == name) return &attribute;
  }
  return nullptr;
}

// Calls read(name) for what the nodes of a node's inner graphs read.
template <typename F>
void for_inner_reads(const onnx::NodeProto& node, F read) {
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    if (!attribute.has_g()) continue;
    for (const onnx::NodeProto& inner : attribute.g().node()) {
      for (const std::string& input : inner.input()) read(input);
      for_inner_reads(inner, read);
    }
    for (const onnx::ValueInfoProto& output : attribute.g().output()) read(output.name());
  }
}

// Takes the constants of inner graphs too.
void take_inside(onnx::GraphProto& graph, ExternalData& external) {
  for (onnx::TensorProto& tensor : *graph.mutable_initializer()) {
    planner::take_inside(tensor, external);
  }
  for (onnx::NodeProto& node : *graph.mutable_node()) {
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (attribute.has_t()) planner::take_inside(*attribute.mutable_t(), external);
      if (attribute.has_g()) take_inside(*attribute.mutable_g(), external);
    }
  }
}

}  // namespace

ModelEditor::ModelEditor(std::span<const std::byte> file, const Graph& graph,
                         const std::optional<std::filesystem::path>& folder) {
  if (!model_.ParseFromArray(file.data(), static_cast<int>(file.size()))) {
    throw InputError("is no ONNX model");
  }
  ExternalData external(folder);
  take_inside(*model_.mutable_graph(), external);
  for (const onnx::OperatorSetIdProto& opset : model_.opset_import()) {
    if (opset.domain().empty() || opset.domain() == "ai.onnx") opset_ = opset.version();
  }
  for (const Value& value : graph.values) values_.emplace(value.name, &value);
  find_uses();
}

void ModelEditor::find_uses() {
  for (const onnx::ValueInfoProto& input : model_.graph().input()) names_.insert(input.name());
  for (const onnx::TensorProto& known : model_.graph().initializer()) names_.insert(known.name());
  for (const onnx::ValueInfoProto& output : model_.graph().output()) {
    outputs_.insert(output.name());
  }
  for (int n = 0; n < node_count(); ++n) {
    for (const std::string& output : node(n).output()) {
      producers_[output] = n;
      names_.insert(output);
    }
    for (const std::string& input : node(n).input()) readers_[input].push_back(n);
    for_inner_reads(node(n), [&](const std::string& name) { readers_[name].push_back(kNobody); });
  }
}

int ModelEditor::producer(const std::string& tensor) const {
  const auto found = producers_.find(tensor);
  return found == producers_.end() ? kNobody : found->second;
}

std::vector<int> ModelEditor::readers(const std::string& tensor) const {
  const auto found = readers_.find(tensor);
  return found == readers_.end() ? std::vector<int>{} : found->second;
}

int ModelEditor::sole_reader(const std::string& tensor) const {
  const std::vector<int> all = readers(tensor);
  return all.size() == 1 && !is_output(tensor) ? all[0] : kNobody;
}

const Value* ModelEditor::value(const std::string& tensor) const {
  const auto found = values_.find(tensor);
  return found == values_.end() ? nullptr : found->second;
}

bool ModelEditor::is_float(const std::string& tensor) const {
  const Value* known = value(tensor);
  return known != nullptr && known->dtype == DType::kFloat32;
}

bool ModelEditor::is_constant(const std::string& tensor) const {
  const Value* known = value(tensor);
  return known != nullptr && known->constant != nullptr;
}

int64_t ModelEditor::int_attribute(const onnx::NodeProto& node, const char* name,
                                   int64_t otherwise) {
  const onnx::AttributeProto* found = attribute(node, name);
  return found == nullptr ? otherwise : found->i();
}

float ModelEditor::float_attribute(const onnx::NodeProto& node, const char* name, float otherwise) {
  const onnx::AttributeProto* found = attribute(node, name);
  return found == nullptr ? otherwise : found->f();
}

std::string ModelEditor::string_attribute(const onnx::NodeProto& node, const char* name,
                                          const std::string& otherwise) {
  const onnx::AttributeProto* found = attribute(node, name);
  return found == nullptr ? otherwise : found->s();
}

std::string ModelEditor::unique_name(const std::string& wanted) {
  std::string name = wanted;
  for (int number = 2; !names_.insert(name).second; ++number) {
    name = wanted + "_" + std::to_string(number);
  }
  return name;
}

std::string ModelEditor::add_initializer(const std::string& wanted, const TensorData& data) {
  const std::string name = unique_name(wanted);
  const std::vector<std::byte> bytes = serialize_tensor(name, data);
  model_.mutable_graph()->add_initializer()->ParseFromArray(bytes.data(),
                                                            static_cast<int>(bytes.size()));
  return name;
}

std::string ModelEditor::add_floats(const std::string& wanted, const std::vector<uint32_t>& dims,
                                    const std::vector<float>& elements) {
  TensorData data = {DType::kFloat32, dims, std::vector<std::byte>(elements.size() * 4)};
  if (!elements.empty()) std::memcpy(data.bytes.data(), elements.data(), data.bytes.size());
  return add_initializer(wanted, data);
}

onnx::NodeProto& ModelEditor::add_first() { return first_.emplace_back(); }

onnx::NodeProto& ModelEditor::add_behind(int n) { return behind_[n].emplace_back(); }

void ModelEditor::merge(int n, int by) {
  const std::string between = node(by).output(0);
  const std::string result = node(n).output(0);
  node(by).set_output(0, result);
  producers_.erase(between);
  producers_[result] = by;
  readers_.erase(between);
  removed_.insert(n);
}

void ModelEditor::use_domain(const std::string& domain, int64_t version) {
  for (const onnx::OperatorSetIdProto& opset : model_.opset_import()) {
    if (opset.domain() == domain) return;
  }
  onnx::OperatorSetIdProto* opset = model_.add_opset_import();
  opset->set_domain(domain);
  opset->set_version(version);
}

std::vector<std::byte> ModelEditor::finish() {
  std::vector<onnx::NodeProto> all = std::move(first_);
  for (int n = 0; n < node_count(); ++n) {
    if (!removed_.contains(n)) all.push_back(node(n));
    for (onnx::NodeProto& added : behind_[n]) all.push_back(std::move(added));
  }
  // The walk starts at the last node, so that what only dead nodes read is dead too.
  std::set<std::string> read = outputs_;
  std::deque<onnx::NodeProto> alive;
  for (size_t i = all.size(); i-- > 0;) {
    const bool is_read = std::any_of(all[i].output().begin(), all[i].output().end(),
                                     [&](const std::string& name) { return read.contains(name); });
    if (!is_read) continue;
    read.insert(all[i].input().begin(), all[i].input().end());
    for_inner_reads(all[i], [&](const std::string& name) { read.insert(name); });
    alive.push_front(std::move(all[i]));
  }
  onnx::GraphProto& graph = *model_.mutable_graph();
  graph.clear_node();
  for (onnx::NodeProto& node : alive) *graph.add_node() = std::move(node);
  // Old models list initializers among the inputs.
  std::set<std::string> gone;
  for (const onnx::TensorProto& tensor : graph.initializer()) {
    if (!read.contains(tensor.name())) gone.insert(tensor.name());
  }
  auto* inputs = graph.mutable_input();
  inputs->erase(std::remove_if(
                    inputs->begin(), inputs->end(),
                    [&](const onnx::ValueInfoProto& input) { return gone.contains(input.name()); }),
                inputs->end());
  auto* known = graph.mutable_initializer();
  known->erase(std::remove_if(
                   known->begin(), known->end(),
                   [&](const onnx::TensorProto& tensor) { return !read.contains(tensor.name()); }),
               known->end());
  // Types of tensors that were between nodes may be other ones now.
  graph.clear_value_info();
  if (model_.ByteSizeLong() > size_t{std::numeric_limits<int32_t>::max()}) {
    throw InputError("takes " + std::to_string(model_.ByteSizeLong()) +
                     " bytes with all its tensors inside, more than the 2 GiB of an ONNX file");
  }
  const std::string text = model_.SerializeAsString();
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  return {bytes, bytes + text.size()};
}

}  // namespace arenite::planner::quantizer
// SPDX-License-Identifier: Apache-2.0
