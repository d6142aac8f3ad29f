// Walks a model's nodes in order and marks the tensors that their roles make integers.
#include "planner/quantizer/placement.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <span>
#include <string_view>

namespace arenite::planner::quantizer {
namespace {

bool is_one_of(const std::string& name, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}
bool is_one_of(const std::string& name, std::initializer_list<std::string_view> names) {
  return is_one_of(name, std::span(names.begin(), names.size()));
}

enum class Role : uint8_t {
  kFloat,     // stays as it is
  kWeighted,  // constant weights
  kCompute,   // computes with integers
  kMove,      // hands elements on
};

constexpr std::string_view kCompute[] = {"Add",         "Sub",         "Mul",
                                         "MatMul",      "AveragePool", "ReduceMean",
                                         "Sigmoid",     "Tanh",        "GlobalAveragePool",
                                         "HardSigmoid", "HardSwish",   "Relu",
                                         "Clip",        "LeakyRelu",   "Elu",
                                         "Gelu",        "Softmax",     "ConvTranspose"};
constexpr std::string_view kMove[] = {
    "MaxPool",      "Reshape",       "Flatten", "Squeeze",   "Unsqueeze", "Transpose",
    "Concat",       "Slice",         "Split",   "Identity",  "Expand",    "Tile",
    "DepthToSpace", "SpaceToDepth",  "Gather",  "ReduceMax", "Pad",       "Resize",
    "Upsample",     "GlobalMaxPool", "Dropout", "ReduceMin"};
// Functions of a wide range of magnitudes: what stands right beside them would lose too much.
constexpr std::string_view kWide[] = {"Pow", "Sqrt", "Div", "Exp", "Log", "Reciprocal", "Erf"};
constexpr std::string_view kBeside[] = {"Add", "Sub", "Mul", "ReduceMean"};

class Placing {
 public:
  Placing(const ModelEditor& model, const std::set<std::string>& barred)
      : model_(model),
        barred_(barred),
        roles_(static_cast<size_t>(model.node_count()), Role::kFloat) {}

  Placement run() {
    for (int n = 0; n < model_.node_count(); ++n) roles_[at(n)] = role_of(n);
    for (int n = 0; n < model_.node_count(); ++n) keep_beside_wide(n);
    for (int n = 0; n < model_.node_count(); ++n) find_inner(n);
    for (int n = 0; n < model_.node_count(); ++n) join(n);
    for (int n = 0; n < model_.node_count(); ++n) want(n);
    collect();
    return std::move(placement_);
  }

 private:
  static size_t at(int n) { return static_cast<size_t>(n); }
  const onnx::NodeProto& node(int n) const { return model_.node(n); }

  bool is_run_time(const std::string& tensor) const {
    return model_.is_float(tensor) && !model_.is_constant(tensor);
  }
  bool is_known(const std::string& tensor) const {
    return model_.is_float(tensor) && model_.is_constant(tensor);
  }

  Role role_of(int n) {
    const onnx::NodeProto& proto = node(n);
    if (!proto.domain().empty() || proto.output_size() == 0 || proto.input_size() == 0) {
      return Role::kFloat;
    }
    if (!is_run_time(proto.output(0)) || is_barred(proto)) return Role::kFloat;
    if (const auto weighted = weights_of(n)) {
      placement_.weighted.push_back(*weighted);
      return Role::kWeighted;
    }
    if (divides_by_constant(proto)) return Role::kCompute;
    if (is_one_of(proto.op_type(), kCompute))
      return computes(proto) ? Role::kCompute : Role::kFloat;
    if (is_one_of(proto.op_type(), kMove)) return moves(proto) ? Role::kMove : Role::kFloat;
    return Role::kFloat;
  }

  // A division by one constant has the magnitudes of a product.
  bool divides_by_constant(const onnx::NodeProto& proto) const {
    return proto.op_type() == "Div" && proto.input_size() == 2 && is_run_time(proto.input(0)) &&
           is_known(proto.input(1)) && model_.value(proto.input(1))->elements() == 1;
  }

  bool is_barred(const onnx::NodeProto& proto) const {
    const auto barred = [&](const std::string& tensor) { return barred_.contains(tensor); };
    return std::any_of(proto.input().begin(), proto.input().end(), barred) ||
           std::any_of(proto.output().begin(), proto.output().end(), barred);
  }

  // With weights, and a bias or none, that are known.
  std::optional<Weighted> weights_of(int n) const {
    const onnx::NodeProto& proto = node(n);
    const std::string& type = proto.op_type();
    if (!is_one_of(type, {"Conv", "ConvTranspose", "Gemm", "MatMul"})) return std::nullopt;
    if (proto.input_size() < 2 || !is_run_time(proto.input(0)) || !is_known(proto.input(1))) {
      return std::nullopt;
    }
    const bool has_bias = proto.input_size() > 2 && !proto.input(2).empty();
    if (has_bias && !is_known(proto.input(2))) return std::nullopt;
    const auto rank = static_cast<uint32_t>(model_.value(proto.input(1))->dims.size());
    Weighted weighted = {.node = n};
    weighted.takes_bias = type != "MatMul";
    weighted.bias_node = has_bias ? n : kNobody;
    if (type == "Conv") return weighted;
    if (type == "ConvTranspose") {
      // Filters of one group lie along axis 1; those of several share it.
      weighted.axis = 1;
      return model_.int_attribute(proto, "group", 1) == 1 ? std::optional(weighted) : std::nullopt;
    }
    if (rank < 2) return std::nullopt;
    weighted.axis = rank - 1;
    weighted.channel_axis = static_cast<uint32_t>(model_.value(proto.input(0))->dims.size()) - 1;
    if (type == "Gemm") {
      const bool plain = model_.float_attribute(proto, "alpha", 1) == 1 &&
                         model_.float_attribute(proto, "beta", 1) == 1 &&
                         model_.int_attribute(proto, "transA", 0) == 0;
      if (!plain || (has_bias && !is_vector(proto.input(2), channels_of(n)))) return std::nullopt;
      if (model_.int_attribute(proto, "transB", 0) != 0) weighted.axis = 0;
    }
    return weighted;
  }

  uint32_t channels_of(int n) const {
    const Value* result = model_.value(node(n).output(0));
    return result->dims.empty() ? 1 : bounds(result->dims).back();
  }
  bool is_vector(const std::string& tensor, uint32_t count) const {
    const Value* known = model_.value(tensor);
    return known->elements() == count && (known->dims.empty() || known->dims.back() == count);
  }

  bool computes(const onnx::NodeProto& proto) const {
    if (proto.op_type() == "ConvTranspose") return false;
    if (proto.op_type() == "Clip") {
      for (int i = 1; i < proto.input_size(); ++i) {
        if (!proto.input(i).empty() && !model_.is_constant(proto.input(i))) return false;
      }
    }
    return std::any_of(proto.input().begin(), proto.input().end(),
                       [&](const std::string& input) { return is_run_time(input); });
  }

  bool moves(const onnx::NodeProto& proto) const {
    const std::string& type = proto.op_type();
    if (type == "MaxPool" && proto.output_size() > 1 && !proto.output(1).empty()) return false;
    if (is_one_of(type, {"Resize", "Upsample"})) {
      return model_.string_attribute(proto, "mode", "nearest") == "nearest";
    }
    if (type == "Pad") return pads_zeros(proto);
    if (type == "Concat") return true;
    return is_run_time(proto.input(0));
  }

  bool pads_zeros(const onnx::NodeProto& proto) const {
    if (model_.float_attribute(proto, "value", 0) != 0) return false;
    if (proto.input_size() < 3 || proto.input(2).empty()) return true;
    const Value* value = model_.value(proto.input(2));
    if (value == nullptr || value->constant == nullptr) return false;
    return std::all_of(value->constant->begin(), value->constant->end(),
                       [](std::byte b) { return b == std::byte{0}; });
  }

  // The operands that are data: what else a node reads says how.
  std::vector<std::string> data_of(int n) const {
    const onnx::NodeProto& proto = node(n);
    const int count = proto.op_type() == "Concat"                         ? proto.input_size()
                      : is_one_of(proto.op_type(), {"Add", "Sub", "Mul"}) ? 2
                      : proto.op_type() == "MatMul" && roles_[at(n)] == Role::kCompute ? 2
                                                                                       : 1;
    std::vector<std::string> data;
    for (int i = 0; i < std::min(count, proto.input_size()); ++i) {
      if (model_.is_float(proto.input(i))) data.push_back(proto.input(i));
    }
    return data;
  }
  std::vector<std::string> results_of(int n) const {
    std::vector<std::string> results;
    for (const std::string& output : node(n).output()) {
      if (!output.empty() && is_run_time(output)) results.push_back(output);
    }
    return results;
  }

  void keep_beside_wide(int n) {
    if (roles_[at(n)] != Role::kCompute || !is_one_of(node(n).op_type(), kBeside)) return;
    const auto is_wide = [&](int other) {
      return other != kNobody && node(other).domain().empty() &&
             is_one_of(node(other).op_type(), kWide) && !divides_by_constant(node(other));
    };
    bool beside = false;
    for (const std::string& input : data_of(n)) beside = beside || is_wide(model_.producer(input));
    for (const std::string& output : results_of(n)) {
      for (const int reader : model_.readers(output)) beside = beside || is_wide(reader);
    }
    if (beside) roles_[at(n)] = Role::kFloat;
  }

  // Finds values between a node and the bias or activation that follows it.
  void find_inner(int n) {
    const Role role = roles_[at(n)];
    if (role != Role::kWeighted && role != Role::kCompute) return;
    const std::string& result = node(n).output(0);
    const int reader = model_.sole_reader(result);
    if (reader == kNobody || roles_[at(reader)] != Role::kCompute) return;
    const onnx::NodeProto& next = node(reader);
    const bool bends =
        next.input(0) == result && is_one_of(next.op_type(), {"Relu", "Clip"}) &&
        !is_one_of(node(n).op_type(), {"Relu", "Clip", "Sigmoid", "Tanh", "Softmax"});
    if (bends) {
      inner_.insert(result);
      return;
    }
    if (role != Role::kWeighted || next.op_type() != "Add" || node(n).op_type() != "MatMul") return;
    const int other = next.input(0) == result ? 1 : 0;
    if (!is_known(next.input(other)) || !is_vector(next.input(other), channels_of(n))) return;
    inner_.insert(result);
    biases_.insert(next.input(other));
    for (Weighted& weighted : placement_.weighted) {
      if (weighted.node != n) continue;
      weighted.bias_node = reader;
      weighted.bias_input = other;
    }
  }

  // --- Tensors with one scale, as sets.
  const std::string& first_of(const std::string& tensor) {
    std::string* parent = &parents_.try_emplace(tensor, tensor).first->second;
    while (*parent != parents_.at(*parent)) parent = &parents_.at(*parent);
    return *parent;
  }
  void unite(const std::string& a, const std::string& b) {
    const std::string root = first_of(a);
    parents_[first_of(b)] = root;
  }

  void join(int n) {
    if (roles_[at(n)] != Role::kMove) return;
    std::vector<std::string> all = data_of(n);
    for (const std::string& result : results_of(n)) all.push_back(result);
    for (size_t i = 1; i < all.size(); ++i) unite(all[0], all[i]);
  }

  // A result that only what stays float reads is no integer, where it is not heavy to compute.
  bool is_wanted(int n) const {
    if (roles_[at(n)] == Role::kWeighted) return true;
    if (roles_[at(n)] != Role::kCompute) return false;
    const std::string& result = node(n).output(0);
    const std::vector<int> readers = model_.readers(result);
    return model_.is_output(result) || std::any_of(readers.begin(), readers.end(), [&](int reader) {
             return reader != kNobody && roles_[at(reader)] != Role::kFloat;
           });
  }

  void want(int n) {
    if (!is_wanted(n)) return;
    for (const std::string& input : data_of(n)) {
      if (!inner_.contains(input) && !biases_.contains(input)) wanted_.insert(first_of(input));
    }
    for (const std::string& result : results_of(n)) {
      if (!inner_.contains(result)) wanted_.insert(first_of(result));
    }
    const std::string& type = node(n).op_type();
    if (is_one_of(type, {"Sigmoid", "Softmax", "HardSigmoid"})) {
      placement_.fixed[node(n).output(0)] = {0, 255.0 / 256};
    } else if (type == "Tanh") {
      placement_.fixed[node(n).output(0)] = {-1, 127.0 / 128};
    }
  }

  bool is_quantized(const std::string& tensor) {
    return parents_.contains(tensor) ? wanted_.contains(first_of(tensor)) : false;
  }

  void add(const std::string& tensor, std::vector<std::string>& to) {
    if (inner_.contains(tensor) || !is_quantized(tensor) || !seen_.insert(tensor).second) return;
    placement_.shared[tensor] = first_of(tensor);
    to.push_back(tensor);
  }

  void collect() {
    for (const onnx::ValueInfoProto& input : model_.graph().input()) {
      if (is_run_time(input.name())) add(input.name(), placement_.tensors);
    }
    placement_.is_integer.assign(roles_.size(), false);
    for (int n = 0; n < model_.node_count(); ++n) {
      const Role role = roles_[at(n)];
      if (role == Role::kFloat || (role == Role::kCompute && !is_wanted(n) && !is_inner_part(n)))
        continue;
      placement_.is_integer[at(n)] =
          role != Role::kMove || (!data_of(n).empty() && is_quantized(data_of(n)[0]));
      if (!placement_.is_integer[at(n)]) continue;
      for (const std::string& input : data_of(n)) {
        if (model_.is_constant(input) && !biases_.contains(input)) add(input, placement_.constants);
      }
      for (const std::string& result : results_of(n)) add(result, placement_.tensors);
    }
  }

  // Whether the node finishes what another one computes.
  bool is_inner_part(int n) const {
    return std::any_of(node(n).input().begin(), node(n).input().end(),
                       [&](const std::string& input) { return inner_.contains(input); });
  }

  const ModelEditor& model_;
  const std::set<std::string>& barred_;
  std::vector<Role> roles_;
  std::set<std::string> inner_, biases_, wanted_, seen_;
  std::map<std::string, std::string> parents_;
  Placement placement_;
};

}  // namespace

Placement place(const ModelEditor& model, const std::set<std::string>& barred) {
  return Placing(model, barred).run();
}

}  // namespace arenite::planner::quantizer
// SPDX-License-Identifier: Apache-2.0
