// The services a TensorFlow Lite operator's importer has: operands, nodes in ONNX's words, results.
#include "planner/import/tflite/context.h"

#include <algorithm>

#include "core/contract.h"
#include "planner/graph/names.h"
#include "planner/import/model/fix_advice.h"
#include "planner/import/model/tensor_proto.h"
#include "planner/import/onnx/operators/ops.h"

namespace arenite::planner::tflite {

namespace schema = tflite_schema;

ModelAttribute& Attributes::add(const char* name, ModelAttribute::Kind kind,
                                const char* kind_name) {
  ModelAttribute attribute;
  attribute.name = name;
  attribute.kind = kind;
  attribute.kind_name = kind_name;
  list_.push_back(std::move(attribute));
  return list_.back();
}

Attributes& Attributes::with(const char* name, int64_t value) {
  add(name, ModelAttribute::Kind::kInt, "int").i = value;
  return *this;
}

Attributes& Attributes::with(const char* name, float value) {
  add(name, ModelAttribute::Kind::kFloat, "float").f = value;
  return *this;
}

Attributes& Attributes::with(const char* name, const char* value) {
  add(name, ModelAttribute::Kind::kString, "string").s = value;
  return *this;
}

Attributes& Attributes::with(const char* name, std::vector<int64_t> value) {
  add(name, ModelAttribute::Kind::kInts, "ints").ints = std::move(value);
  return *this;
}

Attributes& Attributes::with(const char* name, std::vector<std::string> value) {
  add(name, ModelAttribute::Kind::kStrings, "strings").strings = std::move(value);
  return *this;
}

std::string source_name(const Operator& op) {
  return printable(op.name) + "_" + std::to_string(op.index);
}

std::vector<std::string> named_values(const Subgraph& subgraph, GraphBuilder& builder) {
  std::vector<std::string> names(subgraph.tensors.size());
  const auto give = [&](uint32_t index) {
    const std::string& own = subgraph.tensors[index].name;
    if (!names[index].empty()) return;
    names[index] = builder.unique_name(own.empty() ? "tensor_" + std::to_string(index) : own);
  };
  for (const uint32_t input : subgraph.inputs) give(input);
  for (const uint32_t output : subgraph.outputs) give(output);
  for (const Tensor& tensor : subgraph.tensors) give(tensor.index);
  return names;
}

Context::Context(Importing& importing, const Operator& op)
    : importing_(importing),
      op_(op),
      where_(describe(importing.subgraph, op)),
      values_before_(importing.state.builder.graph().values.size()),
      made_(op.outputs.size(), false) {}

void Context::fail(const std::string& what) const { throw InputError(where_ + ": " + what); }

void Context::unsupported(const std::string& what, const std::string& instead) const {
  throw UnsupportedError(where_ + ": " + what, instead);
}

void Context::note(const std::string& text) { importing_.state.builder.note(where_ + ": " + text); }

// A table without fields: all of them at their defaults.
const void* Context::no_options() {
  struct Table {
    uint16_t vtable[2];
    int32_t to_vtable;
  };
  alignas(8) static constexpr Table kTable = {{sizeof kTable.vtable, sizeof kTable.to_vtable},
                                              sizeof kTable.vtable};
  return &kTable.to_vtable;
}

void Context::fail_options() const {
  fail("its options are of kind " + std::to_string(int{op_.table->builtin_options_type()}) +
       ", which is another operator's");
}

void Context::expect_operands(size_t min_inputs, size_t max_inputs, size_t outputs) const {
  if (op_.inputs.size() > max_inputs) {
    fail("has " + std::to_string(op_.inputs.size()) + " inputs, expected at most " +
         std::to_string(max_inputs));
  }
  if (op_.outputs.size() != outputs) {
    fail("has " + std::to_string(op_.outputs.size()) + " outputs, expected " +
         std::to_string(outputs));
  }
  for (size_t i = 0; i < min_inputs; ++i) tensor(i);
}

const Tensor& Context::tensor(size_t i) const {
  if (!has_input(i)) fail("input " + std::to_string(i) + " is missing");
  return importing_.subgraph.tensors[static_cast<size_t>(op_.inputs[i])];
}

const Tensor& Context::output_tensor(size_t i) const {
  if (i >= op_.outputs.size()) fail("output " + std::to_string(i) + " is missing");
  return importing_.subgraph.tensors[static_cast<size_t>(op_.outputs[i])];
}

ValueId add_constant(Importing& importing, const Tensor& tensor) {
  const std::string& name = importing.names[tensor.index];
  GraphBuilder& builder = importing.state.builder;
  const ValueId id = builder.add_value(name, tensor.dtype, tensor.dims);
  std::vector<std::byte> bytes = elements_of(tensor);
  if (tensor.dtype == DType::kBool) {
    for (std::byte& byte : bytes) byte = byte == std::byte{0} ? byte : std::byte{1};
  }
  builder.set_constant(id, std::move(bytes));
  if (tensor.quantization) builder.set_quantization(id, *tensor.quantization);
  importing.state.by_name.emplace(name, id);
  importing.set_value(tensor.index, id);
  return id;
}

ValueId Context::stored(size_t i) {
  const Tensor& tensor = this->tensor(i);
  const std::string where = "input " + std::to_string(i) + ", " + describe(tensor) + ", ";
  if (!tensor.unsupported.empty()) unsupported(where + tensor.unsupported, "numbers or bool");
  const ValueId known = importing_.values[tensor.index];
  if (known != kNoValue) return known;
  if (tensor.variable) return variable(i, tensor.dtype);
  if (!tensor.constant) {
    fail(where +
         "is neither a constant, an input of the subgraph nor the output of an earlier "
         "operator");
  }
  if (tensor.sparsity != nullptr) {
    unsupported(where + "is sparse: only DENSIFY may read it", "DENSIFY before the operator");
  }
  return add_constant(importing_, tensor);
}

ValueId Context::input(size_t i) {
  const Tensor& tensor = this->tensor(i);
  const ValueId id = stored(i);
  if (!tensor.quantization_fault.empty()) {
    fail("input " + std::to_string(i) + ", " + describe(tensor) + ", " + tensor.quantization_fault);
  }
  if (!tensor.quantization) return id;
  const auto known = importing_.numbers.find(id);
  if (known != importing_.numbers.end()) return known->second;
  const ValueId numbers = dequantized(id, *tensor.quantization);
  importing_.numbers.emplace(id, numbers);
  return numbers;
}

ValueId Context::weights(size_t i) {
  const ValueId id = input(i);
  const auto half = importing_.halves.find(id);
  return half == importing_.halves.end() ? id : half->second;
}

std::vector<int64_t> widened(const Value& value) {
  std::vector<int64_t> integers(value.elements());
  for (size_t i = 0; i < integers.size(); ++i) {
    const std::byte* element = value.constant->data() + i * element_bytes(value.dtype);
    if (value.dtype == DType::kInt64) {
      std::memcpy(&integers[i], element, sizeof(int64_t));
    } else {
      int32_t narrow = 0;
      std::memcpy(&narrow, element, sizeof narrow);
      integers[i] = narrow;
    }
  }
  return integers;
}

std::vector<int64_t> Context::integers(size_t i, const char* what) {
  const ValueId id = stored(i);
  const Value& operand = value(id);
  const std::string name = std::string(what) + " (" + describe(tensor(i)) + ") ";
  if (operand.dtype != DType::kInt32 && operand.dtype != DType::kInt64) {
    fail(name + "is " + dtype_name(operand.dtype) + ", expected int32 or int64");
  }
  if (operand.elements() == 0) return {};
  if (operand.constant == nullptr) {
    unsupported(name + "decides a shape: it must be constant, not computed at run time",
                "a constant; convert the model for inputs of fixed shapes" +
                    fix_advice(importing_.state.builder.graph(), id));
  }
  return widened(operand);
}

int64_t Context::integer(size_t i, const char* what) {
  const std::vector<int64_t> numbers = integers(i, what);
  if (numbers.size() != 1) {
    fail(std::string(what) + " holds " + std::to_string(numbers.size()) + " numbers, expected one");
  }
  return numbers[0];
}

void Context::expect_rank(ValueId id, int64_t rank) const {
  if (this->rank(id) == rank) return;
  fail("expected an operand of rank " + std::to_string(rank) + ", found " +
       dims_text(value(id).dims) + " (" + quote(value(id).name) + ")");
}

int64_t Context::axis(int64_t axis, int64_t rank, const char* what) const {
  if (axis < -rank || axis >= rank) {
    fail(std::string(what) + " " + std::to_string(axis) + " lies outside rank " +
         std::to_string(rank));
  }
  return axis < 0 ? axis + rank : axis;
}

std::string Context::part_name() const {
  const std::string base = op_.outputs.empty()
                               ? source_name(op_)
                               : importing_.names[static_cast<size_t>(op_.outputs[0])];
  return importing_.state.builder.unique_name(base + ".part");
}

std::vector<ValueId> Context::add(const char* op_type, const std::vector<ValueId>& inputs,
                                  Attributes attributes, size_t outputs) {
  const ImportRow* row = find_import_row("", op_type);
  if (row == nullptr) unsupported("operator is not supported");
  ModelNode node;
  node.name = source_name(op_);
  node.op_type = op_type;
  node.described = where_;
  for (const ValueId id : inputs) node.inputs.push_back(id == kNoValue ? "" : value(id).name);
  for (size_t i = 0; i < outputs; ++i) node.outputs.push_back(part_name());
  node.attributes = std::move(attributes).take();
  OpContext context(importing_.state, node, *row);
  row->importer(context);
  context.finish();
  if (refusal_.empty()) refusal_ = context.refusal();
  std::vector<ValueId> results;
  for (const std::string& name : node.outputs) {
    results.push_back(importing_.state.by_name.at(name));
  }
  return results;
}

std::vector<ValueId> Context::add_own(Op op, const std::vector<ValueId>& inputs,
                                      const std::vector<Result>& results) {
  Node node;
  node.op = op;
  node.inputs = inputs;
  return add_own(std::move(node), results);
}

std::vector<ValueId> Context::add_own(Node node, const std::vector<Result>& results) {
  GraphBuilder& builder = importing_.state.builder;
  node.sources = {source_name(op_)};
  try {
    for (const Result& result : results) {
      const std::string name = part_name();
      node.outputs.push_back(builder.add_value(name, result.dtype, result.dims));
      importing_.state.by_name.emplace(name, node.outputs.back());
    }
    std::vector<ValueId> made = node.outputs;
    const std::string refusal = builder.add_node(std::move(node));
    if (refusal_.empty()) refusal_ = refusal;
    return made;
  } catch (const UnsupportedError& error) {
    unsupported(error.what(), error.instead);
  } catch (const InputError& error) {
    fail(error.what());
  }
}

void Context::expect_room(std::initializer_list<uint64_t> factors) const {
  try {
    importing_.state.builder.expect_room(factors);
  } catch (const InputError& error) {
    fail(error.what());
  }
}

ValueId Context::constant(DType dtype, const Dims& dims, std::vector<std::byte> bytes) {
  GraphBuilder& builder = importing_.state.builder;
  const std::string name = part_name();
  try {
    const ValueId id = builder.add_value(name, dtype, dims);
    builder.count_constant(id);
    builder.set_constant(id, std::move(bytes));
    importing_.state.by_name.emplace(name, id);
    return id;
  } catch (const InputError& error) {
    fail(error.what());
  }
}

ValueId Context::list(const Dims& numbers) {
  return constant(DType::kInt64, {numbers.size()}, baked(numbers, "a constant list of sizes"));
}

ValueId Context::scalar(float number) {
  return constant(DType::kFloat32, {}, std::vector<float>{number});
}

ValueId Context::zero_of(DType dtype) {
  return constant(dtype, {}, std::vector<std::byte>(element_bytes(dtype)));
}

// For a dequantized value, transposes its integers.
ValueId Context::transposed(ValueId x, const std::vector<int64_t>& permutation) {
  const auto known = importing_.dequantized.find(x);
  if (known == importing_.dequantized.end()) {
    return add("Transpose", {x}, Attributes().with("perm", permutation));
  }
  Dequantized from = known->second;
  if (std::optional<uint32_t>& axis = from.quantization.axis) {
    const auto at = std::find(permutation.begin(), permutation.end(), int64_t{*axis});
    axis = static_cast<uint32_t>(at - permutation.begin());
  }
  return dequantized(transposed(from.integers, permutation), from.quantization);
}

ValueId Context::reshaped(ValueId x, const Dims& dims) {
  if (this->dims(x) == dims) return x;
  const auto known = importing_.dequantized.find(x);
  if (known != importing_.dequantized.end() && !known->second.quantization.axis) {
    const Dequantized from = known->second;
    return dequantized(reshaped(from.integers, dims), from.quantization);
  }
  return add("Reshape", {x, list(dims)}, Attributes().with("allowzero", int64_t{1}));
}

ValueId Context::converted(ValueId x, DType dtype) {
  if (this->dtype(x) == dtype) return x;
  return add("Cast", {x}, Attributes().with("to", static_cast<int64_t>(dtype)));
}

ValueId Context::activated(ValueId x, schema::ActivationFunctionType activation) {
  switch (activation) {
    case schema::ActivationFunctionType_NONE:
      return x;
    case schema::ActivationFunctionType_RELU:
      return add("Relu", {x});
    case schema::ActivationFunctionType_RELU_N1_TO_1:
      return add("Clip", {x, scalar(-1), scalar(1)});
    case schema::ActivationFunctionType_RELU6:
      return add("Clip", {x, scalar(0), scalar(6)});
    case schema::ActivationFunctionType_TANH:
      return add("Tanh", {x});
    default:
      unsupported("fused activation " + std::to_string(int{activation}) + " is not supported",
                  "it as an operator behind");
  }
}

void Context::rename(ValueId id, const std::string& name) {
  importing_.state.by_name.erase(value(id).name);
  importing_.state.builder.rename(id, name);
  importing_.state.by_name.emplace(name, id);
}

void Context::result(size_t i, ValueId id) {
  const Tensor& tensor = output_tensor(i);
  const std::string where = "output " + std::to_string(i) + ", " + describe(tensor) + ", ";
  if (importing_.values[tensor.index] != kNoValue || tensor.constant) {
    fail(where + "is a constant, an input of the subgraph or another output too");
  }
  if (!tensor.quantization_fault.empty()) fail(where + tensor.quantization_fault);
  if (!tensor.unsupported.empty()) unsupported(where + tensor.unsupported, "numbers or bool");
  if (tensor.quantization && dtype(id) == DType::kFloat32) {
    if (!has(types::kQuantized, tensor.dtype) || tensor.quantization->axis) {
      unsupported(where + "is " + dtype_name(tensor.dtype) + " with " +
                      std::to_string(tensor.quantization->scales.size()) + " scales",
                  "results quantized to int8, uint8 or int16 with one scale");
    }
    id = quantized(id, *tensor.quantization);
  }
  if (tensor.dtype != dtype(id)) {
    fail(where + "is declared " + dtype_name(tensor.dtype) + ", the operator gives " +
         dtype_name(dtype(id)));
  }
  // A value that was there before keeps its name.
  if (id < values_before_ || importing_.of_tensors.contains(id)) id = add("Identity", {id});
  rename(id, importing_.names[tensor.index]);
  if (tensor.quantization) importing_.state.builder.set_quantization(id, *tensor.quantization);
  importing_.set_value(tensor.index, id);
  made_[i] = true;
}

void Context::result(ValueId id, schema::ActivationFunctionType activation) {
  result(0, activated(id, activation));
}

void Context::finish() const {
  for (size_t i = 0; i < made_.size(); ++i) {
    if (!made_[i]) {
      unsupported("output " + std::to_string(i) + " is not supported",
                  "the operator without this output");
    }
  }
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
