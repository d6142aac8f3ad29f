// Imports TensorFlow Lite's recurrent layers over whole sequences, as ONNX's.
#include <algorithm>

#include "planner/graph/names.h"
#include "planner/import/tflite/operators.h"

namespace arenite::planner::tflite {
namespace {

namespace schema = tflite_schema;

const char* activation_name(const Context& context, ActivationFunctionType activation) {
  switch (activation) {
    case schema::ActivationFunctionType_NONE:
      return "Affine";  // times 1, plus 0
    case schema::ActivationFunctionType_RELU:
      return "Relu";
    case schema::ActivationFunctionType_TANH:
      return "Tanh";
    default:
      context.unsupported("activation " + std::to_string(int{activation}) + " inside of the cell",
                          "TANH, RELU or none");
  }
}

// Operands one behind the other as those of ONNX's only direction: [1, gates * units, ...].
ValueId joined(Context& context, const std::vector<size_t>& operands) {
  std::vector<ValueId> parts;
  for (const size_t i : operands) parts.push_back(context.input(i));
  const ValueId all = parts.size() == 1
                          ? parts[0]
                          : context.add("Concat", parts, Attributes().with("axis", int64_t{0}));
  Dims dims = context.dims(all);
  dims.insert(dims.begin(), 1);
  return context.reshaped(all, dims);
}

// Biases, and those of the recurrent products, which there are none of.
ValueId biases_of(Context& context, const std::vector<size_t>& operands) {
  const ValueId biases = joined(context, operands);
  context.expect_rank(biases, 2);
  const auto count = static_cast<size_t>(baked(context.dims(biases)[1], "a constant bias"));
  const ValueId none = context.constant(DType::kFloat32, {1, static_cast<int64_t>(count)},
                                        std::vector<float>(count, 0.0f));
  return context.add("Concat", {biases, none}, Attributes().with("axis", int64_t{1}));
}

// Operand `i`, [batch, units], as ONNX's initial state; kNoValue where it begins at zero.
ValueId state_of(Context& context, size_t i) {
  return context.has_input(i) ? joined(context, {i}) : kNoValue;
}

struct Layer {
  const char* op_type;
  std::vector<ValueId> operands;  // behind the sequence
  std::vector<size_t> states;     // operands of the model, in the order of ONNX's outputs
  std::vector<std::string> activations;
  bool time_major;
};

// A state that the model keeps between runs takes the layer's last one, [1, batch, units].
void keep_state(Context& context, size_t i, ValueId last) {
  if (!context.has_input(i) || !context.tensor(i).variable) return;
  context.set_variable(i, context.reshaped(last, context.tensor(i).dims));
}

// Sequences are [time, batch, ...] in ONNX, its outputs [time, 1, batch, units].
void add_layer(Context& context, const Layer& layer) {
  ValueId x = context.input(0);
  context.expect_rank(x, 3);
  if (!layer.time_major) x = context.transposed(x, {1, 0, 2});
  std::vector<ValueId> inputs = {x};
  inputs.insert(inputs.end(), layer.operands.begin(), layer.operands.end());
  while (inputs.back() == kNoValue) inputs.pop_back();
  const bool keeps = std::ranges::any_of(
      layer.states, [&](size_t i) { return context.has_input(i) && context.tensor(i).variable; });
  const std::vector<ValueId> made =
      context.add(layer.op_type, inputs, Attributes().with("activations", layer.activations),
                  keeps ? 1 + layer.states.size() : 1);
  const Dims dims = context.dims(made[0]);
  const ValueId y = context.reshaped(made[0], {dims[0], dims[2], dims[3]});
  for (size_t i = 0; i + 1 < made.size(); ++i) keep_state(context, layer.states[i], made[1 + i]);
  context.result(0, layer.time_major ? y : context.transposed(y, {1, 0, 2}));
}

}  // namespace

// Operands: the sequence; weights and recurrent weights of the gates input, forget, cell, output;
// peepholes of input, forget, output; biases; a projection; the states; factors of normalization.
void sequence_lstm(Context& context) {
  constexpr size_t kInputs = 24;
  constexpr size_t kWeights = 1, kRecurrent = 5, kPeepholes = 9, kBiases = 12, kProjection = 16;
  constexpr size_t kHidden = 18, kCell = 19, kNormalization = 20;
  context.expect_operands(1, kInputs);
  if (context.tensor(0).quantization) return integer_sequence_lstm(context);
  const auto& options = context.options<schema::UnidirectionalSequenceLSTMOptions>();
  const char* without = "the layer without it";
  if (options.cell_clip() != 0 || options.proj_clip() != 0) {
    context.unsupported("cell_clip and proj_clip are not supported", without);
  }
  if (!context.has_input(kWeights)) {
    context.unsupported("an input gate that is coupled to the forget gate is not supported",
                        "a layer with four gates");
  }
  if (context.has_input(kProjection)) {
    context.unsupported("a projection is not supported", "a FULLY_CONNECTED behind the layer");
  }
  for (size_t i = kNormalization; i < kInputs; ++i) {
    if (context.has_input(i)) {
      context.unsupported("layer normalization inside of the cell is not supported", without);
    }
  }
  if (options.diagonal_recurrent_tensors()) {
    context.unsupported("diagonal recurrent weights are not supported", "whole matrices");
  }
  // ONNX has input, output, forget, cell.
  const auto gates = [](size_t first) {
    return std::vector<size_t>{first, first + 3, first + 1, first + 2};
  };
  const bool peepholes = context.has_input(kPeepholes) || context.has_input(kPeepholes + 1);
  const char* activation = activation_name(context, options.fused_activation_function());
  add_layer(context,
            {.op_type = "LSTM",
             .operands = {joined(context, gates(kWeights)), joined(context, gates(kRecurrent)),
                          biases_of(context, gates(kBiases)), kNoValue, state_of(context, kHidden),
                          state_of(context, kCell),
                          peepholes ? joined(context, {kPeepholes, kPeepholes + 2, kPeepholes + 1})
                                    : kNoValue},
             .states = {kHidden, kCell},
             .activations = {"Sigmoid", activation, activation},
             .time_major = options.time_major()});
}

// Operands: the sequence, weights, recurrent weights, bias, the state.
void sequence_rnn(Context& context) {
  constexpr size_t kWeights = 1, kRecurrent = 2, kBias = 3, kState = 4;
  context.expect_operands(4, 5);
  const auto& options = context.options<schema::SequenceRNNOptions>();
  add_layer(context,
            {.op_type = "RNN",
             .operands = {joined(context, {kWeights}), joined(context, {kRecurrent}),
                          biases_of(context, {kBias}), kNoValue, state_of(context, kState)},
             .states = {kState},
             .activations = {activation_name(context, options.fused_activation_function())},
             .time_major = options.time_major()});
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
