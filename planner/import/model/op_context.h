// OpContext: the model's node, its operands and the graph, for the importer of one operator.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "planner/graph/graph_builder.h"
#include "planner/import/model/model.h"

namespace arenite::planner {

// The most nodes that the graphs inside of a model's nodes become, once for each trip of a loop,
// and operators that become as many as their dims say.
inline constexpr uint64_t kUnrolledNodesMax = 20'000;

// Names and values of an ONNX model while its graph is built.
struct ImportState {
  GraphBuilder builder;
  int64_t opset = 0;
  std::unordered_map<std::string, ValueId> by_name;  // values of the model
  // Names of values of which nothing is known, as what makes them is not supported or a shape is
  // missing. Whatever reads them is skipped, and what it makes is unknown too.
  std::set<std::string> unknown;
  std::set<ValueId> four_bits;               // int4 and uint4 of the model, held as int8 and uint8
  std::map<std::string, int64_t> max_trips;  // --max-trips LOOP=N
  std::set<std::string> loops;               // whose number of trips each run decides
  std::optional<uint32_t> batch = {};        // --batch
  uint64_t unrolled_nodes = 0;               // that the file does not have

  // Counts so many more; whether they are no more than kUnrolledNodesMax in all.
  bool count_unrolled(uint64_t nodes) {
    unrolled_nodes += nodes;
    return unrolled_nodes <= kUnrolledNodesMax;
  }
};

// The operands that an importer needs as constants, from an opset on.
struct ConstantOperands {
  int64_t opset;
  std::vector<size_t> operands;
};

class OpContext;

// A row of names.def or microsoft.def (planner/import/onnx/operators): one operator of ONNX.
struct ImportRow {
  std::string_view op_type;
  void (*importer)(OpContext& context);  // null: a branch of the node is imported in its place
  // The operators of programs that nodes of it become, the one that does its work first; none: it
  // is known while planning. OpContext::may_add tells which need not be listed.
  std::vector<Op> becomes;
  std::vector<ConstantOperands> constants;  // the first applies whose opset is reached

  const std::vector<size_t>& constant_operands(int64_t opset) const;
};

class OpContext {
 public:
  OpContext(ImportState& state, const ModelNode& node, const ImportRow& row);

  int64_t opset() const { return state_.opset; }
  // What --batch says.
  std::optional<uint32_t> batch() const { return state_.batch; }
  // The operator that does the work of the node's.
  Op op() const { return row_.becomes.front(); }
  const ModelNode& node() const { return node_; }

  // --- Operands. An operand is absent when its name is empty or it is not listed.
  // Refuses other numbers of operands; the first `min_inputs` must be there.
  void expect_operands(size_t min_inputs, size_t max_inputs, size_t max_outputs = 1);
  bool has_input(size_t i) const { return i < inputs_.size() && inputs_[i] != kNoValue; }
  size_t input_count() const { return inputs_.size(); }
  bool wants_output(size_t i) const {
    return i < node_.outputs.size() && !node_.outputs[i].empty();
  }
  ValueId input(size_t i) const;  // throws where absent
  const Value& value(ValueId id) const { return state_.builder.value(id); }
  // Copied: the graph's values move when one is added.
  Dims dims(ValueId id) const { return value(id).dims; }
  DType dtype(ValueId id) const { return value(id).dtype; }
  // With integers of 4 bits told apart. Operators that only move elements hand that on.
  OnnxType type(ValueId id) const { return {dtype(id), state_.four_bits.contains(id)}; }
  void set_four_bits(ValueId id) { state_.four_bits.insert(id); }
  bool is_constant(ValueId id) const { return state_.builder.is_constant(id); }
  // Whether operand i has to be constant in this opset, by the operator's row. What follows about
  // constant operands relies on it.
  bool decides(size_t i) const;
  // Refuses an operand that is not constant; `what` is ONNX's name for it.
  void expect_constant(size_t i, const char* what) const;
  // The elements of a constant int32 or int64 operand of rank 0 or 1, nullopt where absent. `what`
  // names the operand; one that is not constant is refused.
  std::optional<std::vector<int64_t>> constant_ints(size_t i, const char* what) const;
  // The same of dims: what follows from Shape need not be constant.
  std::optional<Dims> dims_operand(size_t i, const char* what) const;
  // A constant's elements as T; the type must match.
  template <typename T>
  std::vector<T> elements(ValueId id) const {
    const auto& bytes = *value(id).constant;
    std::vector<T> result(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(result.data(), bytes.data(), result.size() * sizeof(T));
    return result;
  }

  // --- Attributes. Reading one marks it as known; finish() refuses those that nobody read.
  std::optional<int64_t> find_int(std::string_view name);
  int64_t int_attribute(std::string_view name, int64_t otherwise);
  bool flag_attribute(std::string_view name, bool otherwise);
  float float_attribute(std::string_view name, float otherwise);
  std::string string_attribute(std::string_view name, const std::string& otherwise);
  std::optional<std::vector<int64_t>> ints_attribute(std::string_view name);
  // Lists that are left out are empty.
  std::vector<float> floats_attribute(std::string_view name);
  std::vector<std::string> strings_attribute(std::string_view name);
  const ModelAttribute* find_attribute(std::string_view name);
  void ignore_attribute(std::string_view name) { find_attribute(name); }

  // --- Results.
  // The i-th output of the model's node.
  ValueId add_output(size_t i, DType dtype, const Dims& dims);
  // A value between the nodes this operator becomes, named after output 0 and `suffix`.
  ValueId add_between(const char* suffix, DType dtype, const Dims& dims);
  ValueId add_constant(const char* suffix, DType dtype, const Dims& dims,
                       std::vector<std::byte> bytes);
  // A dim that each run decides, and what counts it (GraphBuilder).
  Dim add_count(ValueId value, int64_t most) { return state_.builder.add_count(value, most); }
  ValueId count_value(const Multiple& multiple) { return state_.builder.count_value(multiple); }
  void set_filled(ValueId id) { state_.builder.set_filled(id); }
  std::optional<Dims> sizes(ValueId id) const { return state_.builder.sizes(id); }
  bool are_places(ValueId id) const { return state_.builder.are_places(id); }
  // Counts a value among the constants import computes; refused where they grow too large.
  // add_constant() does.
  void count_constant(ValueId id);
  // Refuses the node where a constant of as many bytes as the product of the factors would be too
  // large: asked before one is made whose size the model's numbers say.
  void expect_room(std::initializer_list<uint64_t> factors) const;
  // Counts nodes that the file does not have: those of loops' trips, of one operator that becomes
  // many. Refuses the node where they are more than kUnrolledNodesMax in all.
  void count_nodes(uint64_t nodes);
  // Makes an output constant.
  void set_constant(ValueId id, std::vector<std::byte> bytes);
  // Adds a node, or computes it at once where all its inputs are constant.
  void add_node(Op op, const std::vector<ValueId>& inputs, const std::vector<ValueId>& outputs,
                const std::vector<uint32_t>& attributes = {});
  template <typename T>
  void add_node(Op op, const std::vector<ValueId>& inputs, const std::vector<ValueId>& outputs,
                const T& attributes) {
    Node node;
    node.set_attributes(attributes);
    add_node(op, inputs, outputs, node.attributes);
  }
  // The result of another operator, of these operands (kNoValue: left out), with the attributes of
  // the model's node that are none of `not_these`: what `importer` makes of it.
  ValueId imported(const char* op_type, void (*importer)(OpContext& context),
                   const std::vector<ValueId>& inputs,
                   const std::set<std::string_view>& not_these = {});
  // Checks that every attribute was read.
  void finish_attributes() const;
  // The same, and that every output was made.
  void finish();
  // Why no kernel takes what the node became; "" where one does. Its results are known all the
  // same.
  const std::string& refusal() const { return refusal_; }

  // --- Errors, each with the node's name and operator.
  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void fail_attribute(std::string_view name, const std::string& what) const;
  // `instead`: the nearest thing that would work.
  [[noreturn]] void unsupported(const std::string& what, const std::string& instead = {}) const;
  [[noreturn]] void unsupported_attribute(std::string_view name, const std::string& what,
                                          const std::string& instead = {}) const;

  // --- Small checks.
  // `axis` counted from the start; negative ones count from the end of `rank`. `what` names the
  // attribute or operand.
  uint32_t axis(int64_t axis, size_t rank, const char* what) const;
  // The same for several, none twice, in the order given.
  std::vector<uint32_t> axes(const std::vector<int64_t>& axes, size_t rank, const char* what) const;

 private:
  std::string where() const;
  ValueId add_checked(const std::string& name, DType dtype, const Dims& dims);
  bool may_add(Op op) const;

  ImportState& state_;
  const ModelNode& node_;
  const ImportRow& row_;
  std::vector<ValueId> inputs_;
  std::set<std::string, std::less<>> read_;
  std::vector<bool> made_;  // outputs
  std::string refusal_;
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
