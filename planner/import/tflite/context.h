// The interface for importers of single TensorFlow Lite operators. They express an operator in
// ONNX's operators: the importers of those (planner/import/onnx/operators) exist, and one lowering
// serves both kinds of models.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "planner/import/model/op_context.h"
#include "planner/import/tflite/model.h"
#include "schema_generated.h"

namespace arenite::planner::tflite {

// Attributes of a node in ONNX's words.
class Attributes {
 public:
  Attributes& with(const char* name, int64_t value);
  Attributes& with(const char* name, float value);
  Attributes& with(const char* name, const char* value);
  Attributes& with(const char* name, std::vector<int64_t> value);
  Attributes& with(const char* name, std::vector<std::string> value);
  std::vector<ModelAttribute> take() && { return std::move(list_); }

 private:
  ModelAttribute& add(const char* name, ModelAttribute::Kind kind, const char* kind_name);
  std::vector<ModelAttribute> list_;
};

// The integers that a value was made of, and what they stand for.
struct Dequantized {
  ValueId integers = kNoValue;
  Quantization quantization = {};
};

// A variable, which a model keeps between runs: a tensor of its own kind, or what a handle names.
struct Variable {
  std::string name;
  ValueId before = kNoValue;                           // a run: an input; kNoValue until it is read
  ValueId now = kNoValue;                              // kNoValue where nothing has set it
  std::optional<std::vector<std::byte>> initial = {};  // elements before the first run
};

// The state of a subgraph while its graph is built.
struct Importing {
  const Subgraph& subgraph;
  std::span<const Subgraph> all = {};  // of the model
  std::vector<uint32_t> callers = {};  // the subgraphs that call this one, outermost first
  ImportState state = {};
  std::vector<std::string> names = {};  // of the tensors' values
  std::vector<ValueId> values = {};     // of the tensors; kNoValue where not made, or unknown
  std::unordered_set<ValueId> of_tensors = {};  // the same as a set
  std::vector<bool> unknown = {};               // tensors whose makers are not supported
  std::vector<Variable> variables = {};
  std::unordered_map<uint32_t, size_t> variable_of = {};  // by tensor: of its kind, or a handle
  bool variables_are_io = false;                          // to callers too; else they are states
  std::unordered_map<ValueId, ValueId> halves = {};       // the 16-bit constants of those widened
  // Dequantized values by their integers, so that each is dequantized once; and the integers of
  // each.
  std::unordered_map<ValueId, ValueId> numbers = {};
  std::unordered_map<ValueId, Dequantized> dequantized = {};

  void set_value(uint32_t tensor, ValueId id) {
    values[tensor] = id;
    of_tensors.insert(id);
  }
};

// A name for each tensor's value: the model's, or its number; each once.
std::vector<std::string> named_values(const Subgraph& subgraph, GraphBuilder& builder);

// Adds a constant tensor that nobody asked for yet.
ValueId add_constant(Importing& importing, const Tensor& tensor);
// Returns the elements of an int32 or int64 constant, row-major.
std::vector<int64_t> widened(const Value& value);

class Context {
 public:
  Context(Importing& importing, const Operator& op);

  // --- Operands: the operator's inputs, by position.
  // Refuses other numbers of operands; the first `min_inputs` must be there.
  void expect_operands(size_t min_inputs, size_t max_inputs, size_t outputs = 1) const;
  size_t input_count() const { return op_.inputs.size(); }
  size_t output_count() const { return op_.outputs.size(); }
  bool has_input(size_t i) const { return i < op_.inputs.size() && op_.inputs[i] >= 0; }
  const Tensor& tensor(size_t i) const;  // throws where absent
  const Tensor& output_tensor(size_t i) const;
  // The numbers of input i: float32 for a quantized tensor. Refuses unsupported types.
  ValueId input(size_t i);
  // The stored elements of input i: the integers of a quantized tensor.
  ValueId stored(size_t i);
  // The present elements of a variable: an input of the method, until an operator gives it others,
  // which become an output.
  ValueId variable(size_t i, DType dtype);
  void set_variable(size_t i, ValueId next);
  // Makes output `i` a handle of the variable that the operator names.
  void make_handle(size_t i);
  // The variable that the handle at input `i` stands for.
  Variable& variable_of(size_t i);
  // Its elements at this point, of the type and dims of output 0.
  ValueId read(Variable& variable);
  // The variables that a subgraph sets, which all have to be constants.
  std::vector<Variable> set_by(int64_t subgraph);
  // Refuses a variable that begins with other bytes than it has.
  void check_initial(const Variable& variable) const;
  // The variable of that name.
  Variable& variable_named(const std::string& name);
  // An input that kernels read from 16 bits too: where the model widens a constant for it, that
  // constant.
  ValueId weights(size_t i);
  // The integers of an operand whose elements move, or are picked, by an operator that makes no new
  // ones: quantized anew where output 0 is quantized otherwise.
  ValueId stored_as_output(size_t i);
  // The integers of operand `i` as those of `y`, by whole numbers alone: both have one scale.
  ValueId requantized(size_t i, const Tensor& y);
  // Whether equal integers of both stand for equal numbers, by one scale.
  static bool alike(const Tensor& a, const Tensor& b);
  // The bias at `i`: integers stand for themselves times the scales of operands `x` and `weights`,
  // whatever their own scale. kNoValue where left out.
  struct Product {
    size_t x, weights;
  };
  ValueId bias(size_t i, const Product& of);
  // The same; zeros for each output where left out and the kernels' sums have 32 bits then.
  ValueId bias_or_zeros(size_t i, const Product& of, const Dim& outputs);
  void is_widened(ValueId wide, ValueId half) { importing_.halves.emplace(wide, half); }
  const Value& value(ValueId id) const { return importing_.state.builder.value(id); }
  // Copied: the graph's values move when one is added.
  Dims dims(ValueId id) const { return value(id).dims; }
  int64_t rank(ValueId id) const { return static_cast<int64_t>(value(id).dims.size()); }
  DType dtype(ValueId id) const { return value(id).dtype; }
  // The elements, row-major, of an int32 or int64 operand that has to be constant. `what` names it.
  std::vector<int64_t> integers(size_t i, const char* what);
  int64_t integer(size_t i, const char* what);
  // Refuses an input of another rank.
  void expect_rank(ValueId id, int64_t rank) const;
  // `axis` counted from the start.
  int64_t axis(int64_t axis, int64_t rank, const char* what) const;

  // --- Options: those of the table that the operator has; all at their defaults where it has none.
  template <typename T>
  const T& options() const {
    const auto type = op_.table->builtin_options_type();
    if (type == tflite_schema::BuiltinOptions_NONE) return *static_cast<const T*>(no_options());
    if (type != tflite_schema::BuiltinOptionsTraits<T>::enum_value) fail_options();
    const auto* table = static_cast<const T*>(op_.table->builtin_options());
    return table == nullptr ? *static_cast<const T*>(no_options()) : *table;
  }
  std::span<const std::byte> custom_options() const { return op_.custom_options; }

  // --- Nodes.
  // Adds what ONNX's operator `op_type` becomes; its results.
  std::vector<ValueId> add(const char* op_type, const std::vector<ValueId>& inputs,
                           Attributes attributes, size_t outputs);
  ValueId add(const char* op_type, const std::vector<ValueId>& inputs, Attributes attributes = {}) {
    return add(op_type, inputs, std::move(attributes), 1)[0];
  }
  // Adds a node of an operator that ONNX has no word for; its results, of these types and dims.
  struct Result {
    DType dtype;
    Dims dims;
  };
  std::vector<ValueId> add_own(Op op, const std::vector<ValueId>& inputs,
                               const std::vector<Result>& results);
  template <typename T>
  std::vector<ValueId> add_own(Op op, const std::vector<ValueId>& inputs,
                               const std::vector<Result>& results, const T& attributes) {
    Node node;
    node.op = op;
    node.inputs = inputs;
    node.set_attributes(attributes);
    return add_own(std::move(node), results);
  }
  ValueId constant(DType dtype, const Dims& dims, std::vector<std::byte> bytes);
  // Refuses the operator where a constant of as many bytes as the product of the factors would be
  // too large: asked before one is made whose size the model's numbers say.
  void expect_room(std::initializer_list<uint64_t> factors) const;
  template <typename T>
  ValueId constant(DType dtype, const Dims& dims, const std::vector<T>& elements) {
    std::vector<std::byte> bytes(elements.size() * sizeof(T));
    if (!bytes.empty()) std::memcpy(bytes.data(), elements.data(), bytes.size());
    return constant(dtype, dims, std::move(bytes));
  }
  ValueId list(const Dims& numbers);  // int64, as ONNX's shapes and axes are
  ValueId scalar(float number);
  ValueId zero_of(DType dtype);                     // a scalar
  ValueId integer_of(DType dtype, int32_t number);  // a scalar
  ValueId transposed(ValueId x, const std::vector<int64_t>& permutation);
  ValueId reshaped(ValueId x, const Dims& dims);
  ValueId converted(ValueId x, DType dtype);

  // --- Control flow.
  // The stored elements of all inputs from `first` on, and all outputs.
  std::vector<ValueId> all_stored(size_t first);
  void all_results(const std::vector<ValueId>& values);
  // The bool that a condition is in every run; nothing where runs decide.
  std::optional<bool> decided(ValueId condition);
  // The same bool without dims.
  ValueId single_bool(ValueId condition) {
    return rank(condition) == 0 ? condition : reshaped(condition, {});
  }
  // `first` where the bool without dims holds, else `second`. Refuses values of different types or
  // dims.
  ValueId chosen(ValueId condition, ValueId first, ValueId second);
  std::vector<ValueId> chosen(ValueId condition, const std::vector<ValueId>& first,
                              const std::vector<ValueId>& second);
  // The same of a subgraph that runs may leave out. Refuses one that sets a variable.
  std::vector<ValueId> called_at_times(int64_t subgraph, const std::vector<ValueId>& inputs);
  // The most trips of this loop, which runs decide by `condition`; refused where nobody says so.
  int64_t max_trips(ValueId condition);
  // The values as they are; a run in which `running` holds after so many trips fails, for an index
  // that lies outside of a list of one of them. The name of the index says why.
  std::vector<ValueId> ended(std::vector<ValueId> values, ValueId running, int64_t trips);
  // Imports another subgraph of the model for these values, in this operator's place; its outputs.
  // Throws what its operators throw.
  std::vector<ValueId> called(int64_t subgraph, const std::vector<ValueId>& inputs);

  // --- Results.
  // Output `i` is `id`. Of a quantized tensor that is its integers, or the float32 numbers that
  // they stand for.
  void result(size_t i, ValueId id);
  void result(ValueId id, tflite_schema::ActivationFunctionType activation);
  ValueId activated(ValueId x, tflite_schema::ActivationFunctionType activation);
  // Checks that every output was made.
  void finish() const;
  // Why no kernel takes what the operator became; "" where one does.
  const std::string& refusal() const { return refusal_; }

  void note(const std::string& text);
  // --- Errors, each with subgraph and operator.
  [[noreturn]] void fail(const std::string& what) const;
  // `instead`: the nearest thing that works.
  [[noreturn]] void unsupported(const std::string& what, const std::string& instead = {}) const;

 private:
  static const void* no_options();
  [[noreturn]] void fail_options() const;
  std::string part_name() const;
  void rename(ValueId id, const std::string& name);
  ValueId add_variable_input(const std::string& name, const Tensor& like);
  // One that is not being imported. Refuses others.
  const Subgraph& subgraph_at(int64_t index) const;
  std::vector<ValueId> add_own(Node node, const std::vector<Result>& results);
  std::vector<ValueId> scale_operands(int64_t rank, const Quantization& quantization);
  ValueId dequantized(ValueId integers, const Quantization& quantization);
  ValueId quantized(ValueId numbers, const Quantization& quantization);

  Importing& importing_;
  const Operator& op_;
  std::string where_;
  size_t values_before_;
  std::vector<bool> made_;
  std::string refusal_;
};

// The name that reports and source maps have for an operator: "CONV_2D_3".
std::string source_name(const Operator& op);

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
