// Tests TensorFlow Lite's recurrent layers over sequences, against plain loops.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tests/planner/tflite/tflite_builder.h"

namespace arenite::planner {
namespace {

using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

constexpr size_t kBatch = 2, kSteps = 3, kIn = 4, kUnits = 5;
constexpr int32_t kLstm = 44, kRnn = 35;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

uint32_t u(size_t n) { return static_cast<uint32_t>(n); }

// A layer's constants, by operand; without elements: left out.
struct Operands {
  std::vector<TensorData> data;

  double at(size_t operand, size_t row, size_t column = 0) const {
    const TensorData& t = data[operand];
    const size_t columns = t.dims.size() > 1 ? t.dims[1] : 1;
    return floats_of(t.bytes)[row * columns + column];
  }
};

// Operand 0 is the sequence. `states` of those are variables.
TfliteBuilder layer(int32_t code, tfl::BuiltinOptions type, const TfliteBuilder::Options& options,
                    const Operands& operands, const std::vector<size_t>& states, bool time_major) {
  TfliteBuilder model;
  const std::vector<int32_t> dims = time_major ? std::vector<int32_t>{kSteps, kBatch, kIn}
                                               : std::vector<int32_t>{kBatch, kSteps, kIn};
  std::vector<int32_t> inputs = {model.input("x", dims)};
  for (size_t i = 1; i < operands.data.size(); ++i) {
    inputs.push_back(operands.data[i].bytes.empty() ? -1 : model.constant(operands.data[i]));
  }
  for (const size_t i : states) {
    if (inputs.size() <= i) inputs.resize(i + 1, -1);
    inputs[i] = model.tensor("state" + std::to_string(i), {kBatch, kUnits});
    model.set_variable(inputs[i]);
  }
  const int32_t y = model.tensor("y", {});
  model.op(code, inputs, {y}, type, options);
  model.output(y);
  return model;
}

// x of image b at step t, whatever the layout.
double x_at(const std::vector<float>& x, bool time_major, size_t b, size_t t, size_t i) {
  return x[(time_major ? t * kBatch + b : b * kSteps + t) * kIn + i];
}

Operands rnn_operands() {
  return {{random_tensor({1}, 1), random_tensor({u(kUnits), u(kIn)}, 2),
           random_tensor({u(kUnits), u(kUnits)}, 3), random_tensor({u(kUnits)}, 4)}};
}

std::vector<float> rnn(const Operands& w, const std::vector<float>& x, bool time_major) {
  std::vector<float> y(kBatch * kSteps * kUnits);
  for (size_t b = 0; b < kBatch; ++b) {
    std::array<double, kUnits> h = {};
    for (size_t t = 0; t < kSteps; ++t) {
      std::array<double, kUnits> next = {};
      for (size_t o = 0; o < kUnits; ++o) {
        double sum = w.at(3, o);
        for (size_t i = 0; i < kIn; ++i) sum += w.at(1, o, i) * x_at(x, time_major, b, t, i);
        for (size_t i = 0; i < kUnits; ++i) sum += w.at(2, o, i) * h[i];
        next[o] = std::tanh(sum);
        y[(time_major ? t * kBatch + b : b * kSteps + t) * kUnits + o] =
            static_cast<float>(next[o]);
      }
      h = next;
    }
  }
  return y;
}

TEST(TfliteRecurrent, Rnn) {
  const Operands w = rnn_operands();
  for (const bool time_major : {false, true}) {
    const TfliteBuilder model =
        layer(kRnn, tfl::BuiltinOptions_SequenceRNNOptions,
              made_by<tfl::CreateSequenceRNNOptions>(time_major, tfl::ActivationFunctionType_TANH),
              w, {4}, time_major);
    const TensorData x = random_tensor(time_major ? std::vector<uint32_t>{kSteps, kBatch, kIn}
                                                  : std::vector<uint32_t>{kBatch, kSteps, kIn},
                                       9);
    EXPECT_THAT(run_tflite_floats(model, {x}),
                Pointwise(FloatNear(1e-5f), rnn(w, floats_of(x.bytes), time_major)));
    const Graph graph = import_model(model.bytes(), {})[0].graph;
    ASSERT_EQ(graph.states.size(), 1u);
    EXPECT_EQ(graph.input_name(graph.states[0].input), "state4");
    EXPECT_EQ(graph.output_name(graph.states[0].output), "state4.next");
    ImportOptions options;
    options.variables_are_io = true;
    const Graph open = import_model(model.bytes(), options)[0].graph;
    EXPECT_TRUE(open.states.empty());
    EXPECT_EQ(open.inputs.size(), 2u);
    EXPECT_EQ(open.outputs.size(), 2u);
  }
}

// Operands 1 to 8: weights and recurrent weights of the gates input, forget, cell, output; 9 to 11
// peepholes; 12 to 15 biases.
Operands lstm_operands(bool peepholes) {
  Operands w;
  w.data.push_back(random_tensor({1}, 1));
  for (uint32_t i = 0; i < 4; ++i) w.data.push_back(random_tensor({u(kUnits), u(kIn)}, 10 + i));
  for (uint32_t i = 0; i < 4; ++i) w.data.push_back(random_tensor({u(kUnits), u(kUnits)}, 20 + i));
  for (uint32_t i = 0; i < 3; ++i) {
    w.data.push_back(peepholes ? random_tensor({u(kUnits)}, 30 + i) : TensorData{});
  }
  for (uint32_t i = 0; i < 4; ++i) w.data.push_back(random_tensor({u(kUnits)}, 40 + i));
  w.data.resize(18);
  return w;
}

std::vector<float> lstm(const Operands& w, const std::vector<float>& x, bool time_major,
                        size_t steps = kSteps) {
  const bool peepholes = !w.data[9].bytes.empty();
  std::vector<float> y(kBatch * steps * kUnits);
  for (size_t b = 0; b < kBatch; ++b) {
    std::array<double, kUnits> h = {}, c = {};
    for (size_t t = 0; t < steps; ++t) {
      std::array<double, kUnits> next = {};
      for (size_t o = 0; o < kUnits; ++o) {
        std::array<double, 4> gate = {};
        for (size_t g = 0; g < 4; ++g) {
          gate[g] = w.at(12 + g, o);
          for (size_t i = 0; i < kIn; ++i) {
            gate[g] += w.at(1 + g, o, i) * x_at(x, time_major, b, t, i);
          }
          for (size_t i = 0; i < kUnits; ++i) gate[g] += w.at(5 + g, o, i) * h[i];
        }
        if (peepholes) {
          gate[0] += w.at(9, o) * c[o];
          gate[1] += w.at(10, o) * c[o];
        }
        c[o] = sigmoid(gate[1]) * c[o] + sigmoid(gate[0]) * std::tanh(gate[2]);
        if (peepholes) gate[3] += w.at(11, o) * c[o];
        next[o] = sigmoid(gate[3]) * std::tanh(c[o]);
        y[(time_major ? t * kBatch + b : b * kSteps + t) * kUnits + o] =
            static_cast<float>(next[o]);
      }
      h = next;
    }
  }
  return y;
}

TfliteBuilder::Options lstm_options(bool time_major) {
  return made_by<tfl::CreateUnidirectionalSequenceLSTMOptions>(
      tfl::ActivationFunctionType_TANH, 0.0f, 0.0f, time_major, false, false);
}

TEST(TfliteRecurrent, Lstm) {
  for (const bool time_major : {false, true}) {
    const Operands w = lstm_operands(time_major);
    const TensorData x = random_tensor(time_major ? std::vector<uint32_t>{kSteps, kBatch, kIn}
                                                  : std::vector<uint32_t>{kBatch, kSteps, kIn},
                                       9);
    EXPECT_THAT(
        run_tflite_floats(layer(kLstm, tfl::BuiltinOptions_UnidirectionalSequenceLSTMOptions,
                                lstm_options(time_major), w, {18, 19}, time_major),
                          {x}),
        Pointwise(FloatNear(1e-5f), lstm(w, floats_of(x.bytes), time_major)));
  }
}

// The sequence in two halves, the second from the states that the first left.
TEST(TfliteRecurrent, LstmGoesOnWhereItStopped) {
  const Operands w = lstm_operands(true);
  const TfliteBuilder whole = layer(kLstm, tfl::BuiltinOptions_UnidirectionalSequenceLSTMOptions,
                                    lstm_options(true), w, {18, 19}, true);
  const TensorData x = random_tensor({2 * u(kSteps), u(kBatch), u(kIn)}, 9);
  std::vector<TensorData> inputs = {{x.dtype, {u(kSteps), u(kBatch), u(kIn)}, x.bytes}};
  inputs[0].bytes.resize(x.bytes.size() / 2);
  const std::vector<TensorData> first = run_tflite(whole, inputs);
  ASSERT_EQ(first.size(), 3u);
  std::copy(x.bytes.begin() + static_cast<std::ptrdiff_t>(x.bytes.size() / 2), x.bytes.end(),
            inputs[0].bytes.begin());
  inputs.insert(inputs.end(), first.begin() + 1, first.end());
  std::vector<float> y = floats_of(first[0].bytes);
  const std::vector<float> second = floats_of(run_tflite(whole, inputs)[0].bytes);
  y.insert(y.end(), second.begin(), second.end());
  EXPECT_THAT(y, Pointwise(FloatNear(1e-5f), lstm(w, floats_of(x.bytes), true, 2 * kSteps)));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
