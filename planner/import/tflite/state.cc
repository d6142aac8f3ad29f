// Imports TensorFlow Lite's layers that keep state in variables: SVDF, and LSTM of integers.
#include <cmath>

#include "planner/fixed_point/lstm.h"
#include "planner/graph/names.h"
#include "planner/import/tflite/operators.h"

namespace arenite::planner::tflite {
namespace {

namespace schema = tflite_schema;

// The scale and zero point of a quantized tensor, which must have one scale.
Scaled scaled(const Context& context, const Tensor& tensor) {
  if (!tensor.quantization_fault.empty()) {
    context.fail(describe(tensor) + " " + tensor.quantization_fault);
  }
  const std::optional<Scaled> scale = one_scale(tensor);
  if (!scale) {
    context.unsupported(describe(tensor) + " is " + dtype_name(tensor.dtype) +
                        " without one scale for all");
  }
  return *scale;
}

void expect_type(const Context& context, const Tensor& tensor, DType dtype) {
  if (tensor.dtype == dtype && tensor.unsupported.empty()) return;
  context.unsupported(describe(tensor) + " is " + dtype_name(tensor.dtype) + ", expected " +
                      dtype_name(dtype));
}

}  // namespace

// x, weights of features and of time, bias, the state.
void svdf(Context& context) {
  constexpr size_t kX = 0, kFeatures = 1, kTimes = 2, kBias = 3, kState = 4;
  context.expect_operands(3, 5);
  const auto& options = context.options<schema::SVDFOptions>();
  const ValueId x = context.stored(kX);
  const ValueId features = context.stored(kFeatures);
  const ValueId times = context.stored(kTimes);
  for (const ValueId id : {x, features, times}) context.expect_rank(id, 2);
  const Dims dims = context.dims(features);
  if (options.rank() < 1 || dims[0] % options.rank() != 0) {
    context.fail("rank is " + std::to_string(options.rank()) + " with features " + dims_text(dims));
  }
  const ValueId state = context.variable(kState, context.dtype(times));
  std::vector<ValueId> inputs = {
      x, features, times, context.has_input(kBias) ? context.stored(kBias) : kNoValue, state};
  SvdfAttributes attributes = {};
  attributes.rank = static_cast<uint32_t>(options.rank());
  const bool floats = context.dtype(x) == DType::kFloat32;
  if (!floats) {
    expect_type(context, context.tensor(kX), DType::kInt8);
    expect_type(context, context.output_tensor(0), DType::kInt8);
    attributes = svdf_attributes(
        attributes.rank, scaled(context, context.tensor(kX)),
        scaled(context, context.tensor(kFeatures)), scaled(context, context.tensor(kTimes)),
        scaled(context, context.tensor(kState)), scaled(context, context.output_tensor(0)));
  }
  const std::vector<ValueId> made =
      context.add_own(Op::kSvdf, inputs,
                      {{context.dtype(x), {context.dims(x)[0], dims[0] / options.rank()}},
                       {context.dtype(state), context.dims(state)}},
                      attributes);
  context.set_variable(kState, made[1]);
  // Integer kernels leave the activation to the result's own limits.
  const auto activation = options.fused_activation_function();
  context.result(0, floats ? context.activated(made[0], activation) : made[0]);
}

namespace {

// Operands of UNIDIRECTIONAL_SEQUENCE_LSTM; gates are input, forget, cell and output.
constexpr size_t kX = 0, kInputWeights = 1, kRecurrentWeights = 5, kPeepholes = 9, kBiases = 12,
                 kProjection = 16, kH = 18, kC = 19, kNorms = 20;
constexpr size_t kGates = 4;

// One operand a gate, in the order given, as one with the gates first.
ValueId of_gates(Context& context, size_t first, const std::vector<size_t>& order) {
  std::vector<ValueId> parts;
  for (const size_t gate : order) {
    const ValueId part = context.stored(first + gate);
    Dims dims = context.dims(part);
    dims.insert(dims.begin(), 1);
    parts.push_back(context.reshaped(part, dims));
  }
  return context.add("Concat", parts, Attributes().with("axis", int64_t{0}));
}

void refuse_variants(Context& context) {
  const auto absent = [&](size_t first, size_t count, const char* what) {
    for (size_t i = first; i < first + count; ++i) {
      if (context.has_input(i)) context.unsupported(std::string(what) + " are not supported");
    }
  };
  absent(kPeepholes, 3, "peepholes");
  absent(kProjection, 2, "projections");
  absent(kNorms, 4, "normalized gates");
  const auto& options = context.options<schema::UnidirectionalSequenceLSTMOptions>();
  if (options.fused_activation_function() != schema::ActivationFunctionType_TANH) {
    context.unsupported("activation " + std::to_string(int{options.fused_activation_function()}) +
                        " is not supported, expected tanh");
  }
  if (options.diagonal_recurrent_tensors()) {
    context.unsupported("diagonal recurrent weights are not supported");
  }
  if (!(options.cell_clip() >= 0)) {
    context.fail("cell_clip is " + std::to_string(options.cell_clip()));
  }
}

// [batch, time, ...] to [time, batch, ...] and back, where time does not come first.
ValueId time_first(Context& context, ValueId x) {
  const auto& options = context.options<schema::UnidirectionalSequenceLSTMOptions>();
  return options.time_major() ? x : context.transposed(x, {1, 0, 2});
}

struct Made {
  ValueId y, h, c;
};

Made integer_lstm(Context& context, ValueId x) {
  const auto& options = context.options<schema::UnidirectionalSequenceLSTMOptions>();
  LstmScales scales;
  scales.x = scaled(context, context.tensor(kX));
  scales.h = scaled(context, context.tensor(kH));
  scales.c = scaled(context, context.tensor(kC));
  for (size_t gate = 0; gate < kGates; ++gate) {
    for (const size_t first : {kInputWeights, kRecurrentWeights}) {
      const Tensor& weights = context.tensor(first + gate);
      expect_type(context, weights, DType::kInt8);
      if (scaled(context, weights).zero_point != 0) {
        context.unsupported(describe(weights) + " has a zero point that is not 0");
      }
    }
    expect_type(context, context.tensor(kBiases + gate), DType::kInt32);
    scales.weights[gate] = scaled(context, context.tensor(kInputWeights + gate)).scale;
    scales.recurrent[gate] = scaled(context, context.tensor(kRecurrentWeights + gate)).scale;
  }
  expect_type(context, context.output_tensor(0), DType::kInt8);
  const ValueId h = context.variable(kH, DType::kInt8);
  const ValueId c = context.variable(kC, DType::kInt16);
  const std::vector<size_t> order = {0, 1, 2, 3};
  const std::vector<uint16_t> table = logistic_at_24ths();
  std::vector<ValueId> inputs = {
      x,
      of_gates(context, kInputWeights, order),
      of_gates(context, kRecurrentWeights, order),
      of_gates(context, kBiases, order),
      h,
      c,
      context.constant(DType::kUint16, {static_cast<int64_t>(table.size())}, table)};
  const Dim hidden = context.dims(h).back();
  const Dims dims = context.dims(x);
  const std::vector<ValueId> made = context.add_own(Op::kQuantizedLstm, inputs,
                                                    {{DType::kInt8, {dims[0], dims[1], hidden}},
                                                     {DType::kInt8, context.dims(h)},
                                                     {DType::kInt16, context.dims(c)}},
                                                    lstm_attributes(scales, options.cell_clip()));
  return {made[0], made[1], made[2]};
}

}  // namespace

// UNIDIRECTIONAL_SEQUENCE_LSTM of integers; planner/import/tflite/recurrent.cc has that of floats.
void integer_sequence_lstm(Context& context) {
  context.expect_operands(9, 24);
  refuse_variants(context);
  const ValueId given = context.stored(kX);
  context.expect_rank(given, 3);
  const ValueId x = time_first(context, given);
  for (const size_t state : {kH, kC}) {
    const Tensor& tensor = context.tensor(state);
    if (tensor.dims.size() != 2 || tensor.dims[0] != context.dims(x)[1]) {
      context.fail("state " + describe(tensor) + " has dims " + dims_text(tensor.dims) +
                   " for input " + dims_text(context.dims(given)));
    }
  }
  expect_type(context, context.tensor(kX), DType::kInt8);
  const Made made = integer_lstm(context, x);
  context.set_variable(kH, made.h);
  context.set_variable(kC, made.c);
  context.result(0, time_first(context, made.y));
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
