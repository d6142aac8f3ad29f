// Cases of family recurrent, and what a cell computes, from ONNX's equations.
#include <cmath>

#include "ops/recurrent.h"
#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

using Kind = CellFunctionKind;

struct Sizes {
  uint32_t steps, batch, inputs, hidden;
};

struct Options {
  uint32_t direction = 0;
  uint32_t outputs = 0;  // 0: all that the cell has
  uint32_t variant = 0;
  float clip = 0;
  bool bias = true, lengths = false, initial = true, peepholes = true;
};

RecurrentAttributes attributes_with(Op op, const Options& options) {
  RecurrentAttributes attributes{};
  attributes.direction = options.direction;
  attributes.outputs =
      options.outputs != 0 ? options.outputs : (1u << recurrent_outputs_of(op)) - 1;
  attributes.variant = options.variant;
  attributes.clip = options.clip;
  for (uint32_t d = 0; d < 2; ++d) {
    CellFunction* functions = attributes.functions + size_t{3} * d;
    functions[0].kind = op == Op::kRNN ? Kind::kTanh : Kind::kSigmoid;
    if (op != Op::kRNN) functions[1].kind = Kind::kTanh;
    if (op == Op::kLSTM) functions[2].kind = Kind::kTanh;
  }
  return attributes;
}

OpCase recurrent(Op op, const char* name, const Sizes& n, const Options& options = {}) {
  const RecurrentAttributes attributes = attributes_with(op, options);
  const uint32_t directions = options.direction == 2 ? 2 : 1;
  const uint32_t gates = gates_of(op) * n.hidden;
  OpCase c;
  c.name = name;
  // Sums of up to a hundred products, again and again; without gates each step makes a difference
  // of the state larger.
  c.tolerance = op == Op::kRNN ? 1e-4 : 1e-5;
  c.attributes = words(attributes);
  const auto optional = [](bool there, Operand operand) {
    return there ? std::move(operand) : absent();
  };
  c.inputs = {tensor({n.steps, n.batch, n.inputs}),
              tensor({directions, n.inputs, gates}),
              tensor({directions, n.hidden, gates}),
              optional(options.bias, tensor({directions, 2 * gates})),
              optional(options.lengths, ranged(tensor({n.batch}, DType::kInt32), 0, n.steps)),
              optional(options.initial, tensor({directions, n.batch, n.hidden}))};
  if (op == Op::kLSTM) {
    c.inputs.push_back(optional(options.initial, tensor({directions, n.batch, n.hidden})));
    c.inputs.push_back(optional(options.peepholes, tensor({directions, 3 * n.hidden})));
  }
  for (uint32_t i = 0; i < 3; ++i) {
    if ((attributes.outputs >> i & 1u) == 0) continue;
    c.outputs.push_back(i == kY ? tensor({n.steps, directions, n.batch, n.hidden})
                                : tensor({directions, n.batch, n.hidden}));
  }
  return c;
}

// All functions of the cell the same one.
OpCase with_function(OpCase c, Kind kind, float a, float b, float clip = 0) {
  auto attributes = attributes_of<RecurrentAttributes>(c);
  for (CellFunction& function : attributes.functions) function = {kind, a, b};
  attributes.clip = clip;
  c.attributes = words(attributes);
  c.tolerance = 2e-5;
  return c;
}

std::vector<OpCase> recurrent_cases(Op op) {
  const Options plain = {.bias = false, .initial = false, .peepholes = false};
  const uint32_t variants = op == Op::kRNN ? 0 : 1;
  std::vector<OpCase> cases = {
      recurrent(op, "one_step", {1, 1, 3, 5}),
      recurrent(op, "plain", {3, 1, 4, 5}, plain),
      recurrent(op, "batch", {6, 3, 4, 5}),
      recurrent(op, "reverse", {5, 2, 3, 4}, {.direction = 1}),
      recurrent(op, "both", {5, 2, 3, 4}, {.direction = 2}),
      recurrent(op, "lengths", {6, 4, 3, 4}, {.direction = 2, .lengths = true}),
      recurrent(op, "lengths_reverse", {6, 4, 3, 4}, {.direction = 1, .lengths = true}),
      recurrent(op, "only_y", {5, 2, 3, 4}, {.outputs = 1u << kY}),
      recurrent(op, "only_last", {5, 2, 3, 4}, {.outputs = 1u << kYH, .lengths = true}),
      recurrent(op, "variant", {5, 2, 3, 4}, {.direction = 2, .variant = variants}),
      recurrent(op, "clipped", {5, 2, 3, 4}, {.clip = 0.25f}),
      // More units than a block holds, and a group of invocations.
      recurrent(op, "wide", {5, 1, 7, 67}, plain),
      recurrent(op, "wide_variant", {3, 2, 7, 35}, {.direction = 2, .variant = variants}),
      recurrent(op, "large", {9, 3, 24, 33}),
      // More time steps than forms multiply at once, and whole vectors of units.
      recurrent(op, "long", {31, 1, 5, 16}, plain),
      recurrent(op, "long_reverse", {30, 2, 5, 8}, {.direction = 1}),
      recurrent(op, "long_both", {29, 1, 6, 12}, {.direction = 2, .variant = variants}),
      recurrent(op, "long_lengths", {33, 3, 3, 5}, {.direction = 2, .lengths = true}),
      recurrent(op, "long_lengths_reverse", {17, 3, 4, 16}, {.direction = 1, .lengths = true}),
      recurrent(op, "sixteen", {2, 1, 16, 16}),
      recurrent(op, "sixteen_clipped", {3, 2, 8, 16}, {.variant = variants, .clip = 0.5f}),
      recurrent(op, "without_bias", {4, 1, 8, 32}, {.bias = false, .peepholes = false}),
      recurrent(op, "many_inputs", {2, 1, 270, 9}, {.direction = 2}),
      recurrent(op, "one_input", {5, 1, 1, 24}, plain),
      recurrent(op, "one_unit", {5, 2, 3, 1}),
      with_function(recurrent(op, "relu", {4, 2, 3, 4}), Kind::kRelu, 0, 0, 1.5f),
      with_function(recurrent(op, "affine", {3, 2, 3, 4}), Kind::kAffine, 0.5f, -0.25f),
      with_function(recurrent(op, "leaky_relu", {4, 2, 3, 4}), Kind::kLeakyRelu, 0.1f, 0, 1.0f),
      with_function(recurrent(op, "thresholded_relu", {4, 2, 3, 4}), Kind::kThresholdedRelu, 0.25f,
                    0, 1.0f),
      with_function(recurrent(op, "scaled_tanh", {4, 2, 3, 4}), Kind::kScaledTanh, 1.5f, 0.5f),
      with_function(recurrent(op, "hard_sigmoid", {4, 2, 3, 4}), Kind::kHardSigmoid, 0.2f, 0.5f),
      with_function(recurrent(op, "elu", {4, 2, 3, 4}), Kind::kElu, 0.75f, 0, 1.0f),
      with_function(recurrent(op, "softsign", {4, 2, 3, 4}), Kind::kSoftsign, 0, 0),
      with_function(recurrent(op, "softplus", {4, 2, 3, 4}), Kind::kSoftplus, 0, 0, 1.0f),
  };
  if (op == Op::kLSTM) {
    cases.push_back(recurrent(op, "only_cells", {4, 2, 3, 4}, {.outputs = 1u << kYC}));
  }
  return cases;
}

Number apply(const CellFunction& function, Number x) {
  const Number a = static_cast<Number>(function.a), b = static_cast<Number>(function.b);
  switch (function.kind) {
    case Kind::kSigmoid:
      return 1 / (1 + std::exp(-x));
    case Kind::kTanh:
      return std::tanh(x);
    case Kind::kRelu:
      return std::fmax(x, 0.0L);
    case Kind::kAffine:
      return a * x + b;
    case Kind::kLeakyRelu:
      return x < 0 ? a * x : x;
    case Kind::kThresholdedRelu:
      return x > a ? x : 0;
    case Kind::kScaledTanh:
      return a * std::tanh(b * x);
    case Kind::kHardSigmoid:
      return std::fmax(0.0L, std::fmin(1.0L, a * x + b));
    case Kind::kElu:
      return x < 0 ? a * std::expm1(x) : x;
    case Kind::kSoftsign:
      return x / (1 + std::fabs(x));
    case Kind::kSoftplus:
      return std::log1p(std::exp(x));
  }
  return 0;
}

// One step of one sequence.
class Cell {
 public:
  Cell(const OpCase& c, const std::vector<Numbers>& inputs, uint32_t d, uint32_t b)
      : op_(c.op),
        inputs_(inputs),
        attributes_(attributes_of<RecurrentAttributes>(c)),
        d_(d),
        b_(b),
        hidden_(inputs[kR].dims[1]),
        h(hidden_),
        cell(hidden_) {
    for (uint32_t i = 0; i < hidden_; ++i) {
      if (has(c, kInitialH)) h[i] = at(inputs[kInitialH], {d, b, i});
      if (has(c, kInitialC)) cell[i] = at(inputs[kInitialC], {d, b, i});
    }
    has_bias_ = has(c, kBias);
    has_peepholes_ = has(c, kPeepholes);
  }

  void step(uint32_t time) {
    if (op_ == Op::kLSTM) return step_lstm(time);
    if (op_ == Op::kGRU) return step_gru(time);
    std::vector<Number> next = sums(time, 0);
    for (uint32_t i = 0; i < hidden_; ++i) next[i] = f(0, next[i]);
    h = next;
  }

 private:
  static bool has(const OpCase& c, uint32_t i) {
    return i < c.inputs.size() && !c.inputs[i].absent;
  }

  Number f(uint32_t i, Number x) const {
    const Number clip = static_cast<Number>(attributes_.clip);
    if (clip != 0) x = std::fmax(-clip, std::fmin(clip, x));
    return apply(attributes_.functions[3 * d_ + i], x);
  }
  Number bias(bool of_r, uint32_t gate, uint32_t i) const {
    const uint32_t gates = gates_of(op_);
    return has_bias_ ? at(inputs_[kBias], {d_, ((of_r ? gates : 0) + gate) * hidden_ + i}) : 0;
  }
  Number from_x(uint32_t time, uint32_t gate, uint32_t i) const {
    Number sum = bias(false, gate, i);
    for (uint32_t k = 0; k < inputs_[kX].dims[2]; ++k) {
      sum += at(inputs_[kX], {time, b_, k}) * at(inputs_[kW], {d_, k, gate * hidden_ + i});
    }
    return sum;
  }
  Number from_h(const std::vector<Number>& state, uint32_t gate, uint32_t i) const {
    Number sum = bias(true, gate, i);
    for (uint32_t k = 0; k < hidden_; ++k) {
      sum += state[k] * at(inputs_[kR], {d_, k, gate * hidden_ + i});
    }
    return sum;
  }
  std::vector<Number> sums(uint32_t time, uint32_t gate) const {
    std::vector<Number> result(hidden_);
    for (uint32_t i = 0; i < hidden_; ++i) result[i] = from_x(time, gate, i) + from_h(h, gate, i);
    return result;
  }
  Number peephole(uint32_t gate, uint32_t i) const {
    return has_peepholes_ ? at(inputs_[kPeepholes], {d_, gate * hidden_ + i}) * cell[i] : 0;
  }

  void step_gru(uint32_t time) {
    const std::vector<Number> z_sums = sums(time, 0), r_sums = sums(time, 1);
    std::vector<Number> reset(hidden_), next(hidden_);
    for (uint32_t i = 0; i < hidden_; ++i) reset[i] = f(0, r_sums[i]) * h[i];
    for (uint32_t i = 0; i < hidden_; ++i) {
      const Number z = f(0, z_sums[i]);
      const Number inner =
          attributes_.variant == 1 ? f(0, r_sums[i]) * from_h(h, 2, i) : from_h(reset, 2, i);
      next[i] = (1 - z) * f(1, from_x(time, 2, i) + inner) + z * h[i];
    }
    h = next;
  }

  void step_lstm(uint32_t time) {
    const std::vector<Number> in = sums(time, 0), out = sums(time, 1), forget = sums(time, 2),
                              fresh = sums(time, 3);
    for (uint32_t i = 0; i < hidden_; ++i) {
      const Number it = f(0, in[i] + peephole(0, i));
      const Number ft = attributes_.variant == 1 ? 1 - it : f(0, forget[i] + peephole(2, i));
      cell[i] = ft * cell[i] + it * f(1, fresh[i]);
      h[i] = f(0, out[i] + peephole(1, i)) * f(2, cell[i]);
    }
  }

  Op op_;
  const std::vector<Numbers>& inputs_;
  RecurrentAttributes attributes_;
  uint32_t d_, b_, hidden_;
  bool has_bias_ = false, has_peepholes_ = false;

 public:
  std::vector<Number> h, cell;
};

std::vector<Numbers> recurrent_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto attributes = attributes_of<RecurrentAttributes>(c);
  std::vector<Numbers> outputs;
  for (uint32_t i = 0; i < c.outputs.size(); ++i) outputs.push_back(blank_output(c, i));
  const auto write = [&](RecurrentOutput output, const Index& index, Number value) {
    const uint32_t place = place_of_output(attributes.outputs, output);
    if (place == kNoIndex) return;
    Numbers& y = outputs[place];
    y.values[position_of(y.dims, index)] = value;
  };
  const std::vector<uint32_t> x = inputs[kX].dims;
  for (uint32_t d = 0; d < inputs[kR].dims[0]; ++d) {
    for (uint32_t b = 0; b < x[1]; ++b) {
      Cell cell(c, inputs, d, b);
      const auto length =
          c.inputs[kLengths].absent ? x[0] : static_cast<uint32_t>(inputs[kLengths].values[b]);
      const bool reverse = attributes.direction == 1 || d == 1;
      for (uint32_t s = 0; s < length; ++s) {
        const uint32_t time = reverse ? length - 1 - s : s;
        cell.step(time);
        for (uint32_t i = 0; i < cell.h.size(); ++i) write(kY, {time, d, b, i}, cell.h[i]);
      }
      for (uint32_t i = 0; i < cell.h.size(); ++i) {
        write(kYH, {d, b, i}, cell.h[i]);
        write(kYC, {d, b, i}, cell.cell[i]);
      }
    }
  }
  return outputs;
}

}  // namespace

#define ARENITE_OP_recurrent(number, name, Type, set)                                       \
  std::vector<OpCase> name##_cases() { return recurrent_cases(Op::k##Type); }               \
  std::vector<Numbers> name##_oracle(const OpCase& c, const std::vector<Numbers>& inputs) { \
    return recurrent_oracle(c, inputs);                                                     \
  }
#include "schema/ops.def"

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
