// The services an operator's importer has: operands, attributes, new values and nodes, errors.
#include "planner/import/model/op_context.h"

#include <algorithm>

#include "core/assert.h"
#include "ops/contracts.h"
#include "planner/graph/counts.h"
#include "planner/graph/names.h"
#include "planner/import/model/fix_advice.h"

namespace arenite::planner {
namespace {

using Kind = ModelAttribute::Kind;

// Whether ONNX lets int4 and uint4 pass through the node unchanged.
bool moves_elements(const ModelNode& node) {
  static constexpr std::string_view kMoves[] = {"Flatten", "Identity",  "Pad",      "Reshape",
                                                "Squeeze", "Transpose", "Unsqueeze"};
  return std::find(std::begin(kMoves), std::end(kMoves), node.op_type) != std::end(kMoves);
}

}  // namespace

const std::vector<size_t>& ImportRow::constant_operands(int64_t opset) const {
  static const std::vector<size_t> kNone;
  for (const ConstantOperands& entry : constants) {
    if (opset >= entry.opset) return entry.operands;
  }
  return kNone;
}

OpContext::OpContext(ImportState& state, const ModelNode& node, const ImportRow& row)
    : state_(state), node_(node), row_(row), made_(node.outputs.size(), false) {
  for (const std::string& name : node.inputs) {
    if (name.empty()) {
      inputs_.push_back(kNoValue);
      continue;
    }
    const auto found = state.by_name.find(name);
    if (found == state.by_name.end()) {
      fail("input '" + printable(name) +
           "' is neither an input of the model, an initializer nor the output of an earlier node");
    }
    inputs_.push_back(found->second);
  }
}

std::string OpContext::where() const { return describe(node_) + ": "; }

void OpContext::fail(const std::string& what) const { throw InputError(where() + what); }

void OpContext::unsupported(const std::string& what, const std::string& instead) const {
  throw UnsupportedError(where() + what, instead);
}

bool OpContext::decides(size_t i) const {
  const std::vector<size_t>& operands = row_.constant_operands(opset());
  return std::find(operands.begin(), operands.end(), i) != operands.end();
}

void OpContext::expect_constant(size_t i, const char* what) const {
  ARENITE_ASSERT(decides(i));
  if (is_constant(input(i))) return;
  unsupported(std::string("input '") + what + "' ('" + printable(value(input(i)).name) +
                  "') decides a shape: it must be constant, not computed at run time",
              "an initializer, or what follows from shapes alone" +
                  fix_advice(state_.builder.graph(), input(i)));
}

void OpContext::fail_attribute(std::string_view name, const std::string& what) const {
  fail("attribute '" + printable(name) + "': " + what);
}

void OpContext::unsupported_attribute(std::string_view name, const std::string& what,
                                      const std::string& instead) const {
  unsupported("attribute '" + printable(name) + "': " + what, instead);
}

void OpContext::expect_operands(size_t min_inputs, size_t max_inputs, size_t max_outputs) {
  const auto check = [&](const char* what, size_t found, size_t max) {
    if (found > max) {
      fail("has " + std::to_string(found) + " " + what + ", expected at most " +
           std::to_string(max) + " in opset " + std::to_string(opset()));
    }
  };
  while (!inputs_.empty() && inputs_.back() == kNoValue) inputs_.pop_back();
  check("inputs", inputs_.size(), max_inputs);
  check("outputs", node_.outputs.size(), max_outputs);
  for (size_t i = 0; i < min_inputs; ++i) input(i);
}

ValueId OpContext::input(size_t i) const {
  if (!has_input(i)) fail("input " + std::to_string(i) + " is missing");
  return inputs_[i];
}

std::optional<std::vector<int64_t>> OpContext::constant_ints(size_t i, const char* what) const {
  ARENITE_ASSERT(decides(i));
  if (!has_input(i)) return std::nullopt;
  const Value& operand = value(inputs_[i]);
  const std::string name = std::string("input '") + what + "' ('" + printable(operand.name) + "') ";
  if (operand.dims.size() > 1) {
    fail(name + "has dims " + dims_text(operand.dims) + ", expected a list");
  }
  if (operand.dtype != DType::kInt64 && operand.dtype != DType::kInt32) {
    fail(name + "is " + dtype_name(operand.dtype) + ", expected int64");
  }
  // A value without elements is known, also if it comes at run time.
  if (operand.elements() == 0) return std::vector<int64_t>();
  expect_constant(i, what);
  if (operand.dtype == DType::kInt64) return elements<int64_t>(inputs_[i]);
  const std::vector<int32_t> narrow = elements<int32_t>(inputs_[i]);
  return std::vector<int64_t>(narrow.begin(), narrow.end());
}

std::optional<Dims> OpContext::dims_operand(size_t i, const char* what) const {
  if (has_input(i)) {
    if (const std::optional<Dims> sizes = state_.builder.sizes(inputs_[i])) {
      if (value(inputs_[i]).dims.size() == 1) return Dims(sizes->begin(), sizes->end());
    }
  }
  const std::optional<std::vector<int64_t>> numbers = constant_ints(i, what);
  return numbers ? std::optional<Dims>(*numbers) : std::nullopt;
}

const ModelAttribute* OpContext::find_attribute(std::string_view name) {
  read_.emplace(name);
  const auto found = std::find_if(node_.attributes.begin(), node_.attributes.end(),
                                  [&](const ModelAttribute& a) { return a.name == name; });
  return found == node_.attributes.end() ? nullptr : &*found;
}

namespace {

void expect_kind(const OpContext& context, const ModelAttribute& attribute, Kind kind,
                 const char* expected) {
  if (attribute.kind != kind) {
    context.fail_attribute(attribute.name,
                           std::string("expected ") + expected + ", found " + attribute.kind_name);
  }
}

}  // namespace

std::optional<int64_t> OpContext::find_int(std::string_view name) {
  const ModelAttribute* attribute = find_attribute(name);
  if (attribute == nullptr) return std::nullopt;
  expect_kind(*this, *attribute, Kind::kInt, "int");
  return attribute->i;
}

int64_t OpContext::int_attribute(std::string_view name, int64_t otherwise) {
  return find_int(name).value_or(otherwise);
}

bool OpContext::flag_attribute(std::string_view name, bool otherwise) {
  const int64_t flag = int_attribute(name, otherwise ? 1 : 0);
  if (flag != 0 && flag != 1) fail_attribute(name, "is " + std::to_string(flag) + ", not 0 or 1");
  return flag == 1;
}

float OpContext::float_attribute(std::string_view name, float otherwise) {
  const ModelAttribute* attribute = find_attribute(name);
  if (attribute == nullptr) return otherwise;
  expect_kind(*this, *attribute, Kind::kFloat, "float");
  return attribute->f;
}

std::string OpContext::string_attribute(std::string_view name, const std::string& otherwise) {
  const ModelAttribute* attribute = find_attribute(name);
  if (attribute == nullptr) return otherwise;
  expect_kind(*this, *attribute, Kind::kString, "string");
  return attribute->s;
}

std::optional<std::vector<int64_t>> OpContext::ints_attribute(std::string_view name) {
  const ModelAttribute* attribute = find_attribute(name);
  if (attribute == nullptr) return std::nullopt;
  expect_kind(*this, *attribute, Kind::kInts, "ints");
  return attribute->ints;
}

std::vector<float> OpContext::floats_attribute(std::string_view name) {
  const ModelAttribute* attribute = find_attribute(name);
  if (attribute == nullptr) return {};
  expect_kind(*this, *attribute, Kind::kFloats, "floats");
  return attribute->floats;
}

std::vector<std::string> OpContext::strings_attribute(std::string_view name) {
  const ModelAttribute* attribute = find_attribute(name);
  if (attribute == nullptr) return {};
  expect_kind(*this, *attribute, Kind::kStrings, "strings");
  return attribute->strings;
}

ValueId OpContext::add_checked(const std::string& name, DType dtype, const Dims& dims) {
  try {
    return state_.builder.add_value(name, dtype, dims);
  } catch (const InputError& error) {
    fail("result '" + printable(name) + "': " + error.what());
  }
}

ValueId OpContext::add_output(size_t i, DType dtype, const Dims& dims) {
  if (i >= node_.outputs.size()) fail("output " + std::to_string(i) + " is missing");
  made_[i] = true;
  const std::string& name = node_.outputs[i];
  if (name.empty()) return add_between("unused", dtype, dims);
  if (state_.by_name.contains(name)) {
    fail("output '" + printable(name) + "' is already the name of another value");
  }
  const ValueId id = add_checked(name, dtype, dims);
  state_.by_name.emplace(name, id);
  return id;
}

ValueId OpContext::add_between(const char* suffix, DType dtype, const Dims& dims) {
  const std::string base =
      node_.outputs.empty() || node_.outputs[0].empty() ? source_name(node_) : node_.outputs[0];
  return add_checked(state_.builder.unique_name(base + "." + suffix), dtype, dims);
}

ValueId OpContext::add_constant(const char* suffix, DType dtype, const Dims& dims,
                                std::vector<std::byte> bytes) {
  const ValueId id = add_between(suffix, dtype, dims);
  count_constant(id);
  set_constant(id, std::move(bytes));
  return id;
}

void OpContext::set_constant(ValueId id, std::vector<std::byte> bytes) {
  state_.builder.set_constant(id, std::move(bytes));
}

// Views, copies and casts stand between the nodes of any operator.
bool OpContext::may_add(Op op) const {
  return op == Op::kCopy || op == Op::kCast || (fills_rows(op) && state_.builder.has_counts()) ||
         find_contract(op)->layout.kind == LayoutClass::kView ||
         std::find(row_.becomes.begin(), row_.becomes.end(), op) != row_.becomes.end();
}

void OpContext::add_node(Op op, const std::vector<ValueId>& inputs,
                         const std::vector<ValueId>& outputs,
                         const std::vector<uint32_t>& attributes) {
  Node node;
  node.op = op;
  node.inputs = inputs;
  node.outputs = outputs;
  node.attributes = attributes;
  node.sources = {source_name(node_)};
  try {
    const std::string refusal = state_.builder.add_node(std::move(node));
    // A result computed while importing adds no step to the program.
    ARENITE_ASSERT(may_add(op) || is_constant(outputs[0]));
    if (refusal_.empty()) refusal_ = refusal;
  } catch (const UnsupportedError& error) {
    unsupported(error.what(), error.instead);
  } catch (const InputError& error) {
    fail(error.what());
  }
}

void OpContext::count_constant(ValueId id) {
  try {
    state_.builder.count_constant(id);
  } catch (const InputError& error) {
    fail(error.what());
  }
}

void OpContext::expect_room(std::initializer_list<uint64_t> factors) const {
  try {
    state_.builder.expect_room(factors);
  } catch (const InputError& error) {
    fail(error.what());
  }
}

void OpContext::count_nodes(uint64_t nodes) {
  if (!state_.count_unrolled(nodes)) {
    unsupported("becomes more than " + std::to_string(kUnrolledNodesMax) +
                    " nodes, with those before that become many",
                "operands of fewer elements");
  }
}

ValueId OpContext::imported(const char* op_type, void (*importer)(OpContext& context),
                            const std::vector<ValueId>& inputs,
                            const std::set<std::string_view>& not_these) {
  ModelNode node;
  node.name = source_name(node_);
  node.op_type = op_type;
  node.described = describe(node_);
  for (const ValueId id : inputs) {
    node.inputs.push_back(id == kNoValue ? "" : value(id).name);
    if (id == kNoValue) continue;
    const ValueId known = state_.by_name.emplace(value(id).name, id).first->second;
    if (known == id) continue;
    // The model's name, while the value has another.
    node.inputs.back() = state_.builder.unique_name(value(id).name);
    state_.by_name.emplace(node.inputs.back(), id);
  }
  const std::string base =
      node_.outputs.empty() || node_.outputs[0].empty() ? source_name(node_) : node_.outputs[0];
  node.outputs = {state_.builder.unique_name(base + "." + op_type)};
  for (const ModelAttribute& attribute : node_.attributes) {
    if (not_these.contains(attribute.name)) continue;
    node.attributes.push_back(attribute);
    read_.insert(attribute.name);
  }
  // Its nodes are of this operator; what decides shapes has been read.
  const ImportRow row = {op_type, importer, row_.becomes, {}};
  OpContext context(state_, node, row);
  importer(context);
  context.finish();
  if (refusal_.empty()) refusal_ = context.refusal();
  return state_.by_name.at(node.outputs[0]);
}

void OpContext::finish_attributes() const {
  for (const ModelAttribute& attribute : node_.attributes) {
    if (!read_.contains(attribute.name)) {
      unsupported_attribute(attribute.name,
                            "is not known for this operator in opset " + std::to_string(opset()),
                            "the operator without it, or the model of an opset that has it");
    }
  }
}

void OpContext::finish() {
  finish_attributes();
  for (size_t i = 0; i < made_.size(); ++i) {
    if (!made_[i] && wants_output(i)) {
      unsupported("output " + std::to_string(i) + " ('" + printable(node_.outputs[i]) +
                      "') is not supported",
                  "the operator without this output");
    }
  }
  if (has_input(0) && type(inputs_[0]).four_bits && moves_elements(node_)) {
    set_four_bits(state_.by_name.at(node_.outputs[0]));
  }
}

uint32_t OpContext::axis(int64_t axis, size_t rank, const char* what) const {
  const auto signed_rank = static_cast<int64_t>(rank);
  if (axis < -signed_rank || axis >= signed_rank) {
    fail_attribute(what,
                   "axis " + std::to_string(axis) + " lies outside rank " + std::to_string(rank));
  }
  return static_cast<uint32_t>(axis < 0 ? axis + signed_rank : axis);
}

std::vector<uint32_t> OpContext::axes(const std::vector<int64_t>& axes, size_t rank,
                                      const char* what) const {
  std::vector<uint32_t> result;
  for (const int64_t entry : axes) {
    const uint32_t found = axis(entry, rank, what);
    if (std::find(result.begin(), result.end(), found) != result.end()) {
      fail_attribute(what, "axis " + std::to_string(found) + " is given twice");
    }
    result.push_back(found);
  }
  return result;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
