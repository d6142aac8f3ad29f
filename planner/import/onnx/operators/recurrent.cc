// Imports LSTM, GRU and RNN: weights transposed once, so that neighboring gates lie side by side;
// layout 1 by transposed views.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>

#include "ops/recurrent.h"

#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

struct NamedFunction {
  std::string_view name;  // in lower case: ONNX's do not tell them apart
  CellFunction function;  // with the parameters it has where none are given
  uint32_t parameters;    // alpha, then beta
};

constexpr NamedFunction kFunctions[] = {
    {"sigmoid", {CellFunctionKind::kSigmoid, 0, 0}, 0},
    {"tanh", {CellFunctionKind::kTanh, 0, 0}, 0},
    {"relu", {CellFunctionKind::kRelu, 0, 0}, 0},
    {"affine", {CellFunctionKind::kAffine, 1.0f, 0}, 2},
    {"leakyrelu", {CellFunctionKind::kLeakyRelu, 0.01f, 0}, 1},
    {"thresholdedrelu", {CellFunctionKind::kThresholdedRelu, 1.0f, 0}, 1},
    {"scaledtanh", {CellFunctionKind::kScaledTanh, 1.0f, 1.0f}, 2},
    {"hardsigmoid", {CellFunctionKind::kHardSigmoid, 0.2f, 0.5f}, 2},
    {"elu", {CellFunctionKind::kElu, 1.0f, 0}, 1},
    {"softsign", {CellFunctionKind::kSoftsign, 0, 0}, 0},
    {"softplus", {CellFunctionKind::kSoftplus, 0, 0}, 0},
};

const NamedFunction& find_function(const OpContext& context, const std::string& name) {
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto* found = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                   [&](const NamedFunction& f) { return f.name == lower; });
  if (found == std::end(kFunctions)) {
    context.fail_attribute("activations", quote(name) + " is no function of recurrent cells");
  }
  return *found;
}

std::vector<std::string> default_functions(Op op) {
  if (op == Op::kLSTM) return {"Sigmoid", "Tanh", "Tanh"};
  if (op == Op::kGRU) return {"Sigmoid", "Tanh"};
  return {"Tanh"};
}

// Functions take the given parameters one after another, each as many as it has.
void read_functions(OpContext& context, Op op, uint32_t directions,
                    RecurrentAttributes& attributes) {
  const std::vector<std::string> otherwise = default_functions(op);
  std::vector<std::string> names = context.strings_attribute("activations");
  const std::vector<float> alphas = context.floats_attribute("activation_alpha");
  const std::vector<float> betas = context.floats_attribute("activation_beta");
  if (names.empty()) {
    for (uint32_t d = 0; d < directions; ++d) {
      names.insert(names.end(), otherwise.begin(), otherwise.end());
    }
  }
  if (names.size() != otherwise.size() * directions) {
    context.fail_attribute("activations", "names " + std::to_string(names.size()) +
                                              " functions, expected " +
                                              std::to_string(otherwise.size() * directions));
  }
  size_t alpha = 0, beta = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    const NamedFunction& named = find_function(context, names[i]);
    CellFunction function = named.function;
    if (named.parameters > 0 && alpha < alphas.size()) function.a = alphas[alpha++];
    if (named.parameters > 1 && beta < betas.size()) function.b = betas[beta++];
    attributes.functions[i / otherwise.size() * 3 + i % otherwise.size()] = function;
  }
}

ValueId transposed(OpContext& context, ValueId x, const std::vector<uint32_t>& order,
                   const char* suffix) {
  const Dims dims = context.dims(x);
  Dims to;
  for (const uint32_t d : order) to.push_back(dims[d]);
  const ValueId y = context.add_between(suffix, context.dtype(x), to);
  context.add_node(Op::kTranspose, {x}, {y}, order);
  return y;
}

bool all_zero(const OpContext& context, ValueId id) {
  if (!context.is_constant(id)) return false;
  const auto& bytes = *context.value(id).constant;
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

// An import in progress. Inside, the batch is never the first dim.
class Recurrent {
 public:
  Recurrent(OpContext& context, Op op) : context_(context), op_(op) {}

  void run() {
    context_.expect_operands(3, op_ == Op::kLSTM ? 8 : 6, recurrent_outputs_of(op_));
    type_ = context_.dtype(context_.input(kX));
    read_attributes();
    std::vector<ValueId> inputs = {sequence(), weights(kW, sizes_.inputs, "w"),
                                   weights(kR, sizes_.hidden, "r")};
    const Dim gates = sizes_.hidden * gates_of(op_);
    inputs.push_back(optional(kBias, {sizes_.directions, 2 * gates}, "b"));
    inputs.push_back(lengths());
    inputs.push_back(state(kInitialH, "initial_h"));
    if (op_ == Op::kLSTM) {
      inputs.push_back(state(kInitialC, "initial_c"));
      inputs.push_back(optional(kPeepholes, {sizes_.directions, 3 * sizes_.hidden}, "p"));
    }
    while (inputs.back() == kNoValue) inputs.pop_back();
    add(inputs);
  }

 private:
  void read_attributes() {
    const std::string direction = context_.string_attribute("direction", "forward");
    static constexpr std::array<std::string_view, 3> kDirections = {"forward", "reverse",
                                                                    "bidirectional"};
    const auto* found = std::find(kDirections.begin(), kDirections.end(), direction);
    if (found == kDirections.end()) {
      context_.fail_attribute("direction",
                              quote(direction) + " is not forward, reverse or bidirectional");
    }
    attributes_.direction = static_cast<uint32_t>(found - kDirections.begin());
    sizes_.directions = attributes_.direction == 2 ? 2 : 1;
    batch_first_ = context_.opset() >= 14 && context_.flag_attribute("layout", false);
    const Dims x = context_.dims(context_.input(kX));
    const Dims r = context_.dims(context_.input(kR));
    if (x.size() != 3) context_.fail("expected X of rank 3, found " + dims_text(x));
    if (r.size() != 3) context_.fail("expected R of rank 3, found " + dims_text(r));
    sizes_.steps = x[batch_first_ ? 1 : 0];
    sizes_.batch = x[batch_first_ ? 0 : 1];
    sizes_.inputs = x[2];
    sizes_.hidden = r[2];
    const std::optional<int64_t> hidden = context_.find_int("hidden_size");
    if (hidden && sizes_.hidden != *hidden) {
      context_.fail_attribute("hidden_size",
                              "is " + std::to_string(*hidden) + ", R has dims " + dims_text(r));
    }
    if (context_.opset() < 7) context_.ignore_attribute("output_sequence");
    attributes_.clip = context_.float_attribute("clip", 0.0f);
    if (!(attributes_.clip >= 0)) context_.fail_attribute("clip", "is not positive");
    if (op_ == Op::kLSTM) attributes_.variant = context_.flag_attribute("input_forget", false);
    if (op_ == Op::kGRU) {
      attributes_.variant = context_.flag_attribute("linear_before_reset", false);
    }
    read_functions(context_, op_, sizes_.directions, attributes_);
  }

  // Casts 16-bit floats to float32, in which they are computed.
  ValueId as_float(ValueId x, const char* suffix) {
    if (context_.dtype(x) != DType::kFloat16 && context_.dtype(x) != DType::kBfloat16) return x;
    const ValueId y = context_.add_between(suffix, DType::kFloat32, context_.dims(x));
    context_.add_node(Op::kCast, {x}, {y});
    return y;
  }

  ValueId expect(RecurrentInput i, const Dims& dims) {
    const ValueId x = context_.input(i);
    if (context_.dims(x) != dims) {
      context_.fail("input " + std::to_string(i) + " has dims " + dims_text(context_.dims(x)) +
                    ", expected " + dims_text(dims));
    }
    if (i != kLengths && context_.dtype(x) != type_) {
      context_.fail("input " + std::to_string(i) + " is " + dtype_name(context_.dtype(x)) +
                    ", X is " + dtype_name(type_));
    }
    return x;
  }

  ValueId sequence() {
    const ValueId x = as_float(context_.input(kX), "x");
    return batch_first_ ? transposed(context_, x, {1, 0, 2}, "steps") : x;
  }

  ValueId weights(RecurrentInput i, const Dim& depth, const char* suffix) {
    const Dim gates = sizes_.hidden * gates_of(op_);
    const ValueId w = as_float(expect(i, {sizes_.directions, gates, depth}), suffix);
    return transposed(context_, w, {0, 2, 1}, suffix);
  }

  ValueId optional(RecurrentInput i, const Dims& dims, const char* suffix) {
    if (!context_.has_input(i)) return kNoValue;
    const ValueId x = as_float(expect(i, dims), suffix);
    return all_zero(context_, x) ? kNoValue : x;
  }

  ValueId state(RecurrentInput i, const char* suffix) {
    if (!batch_first_) return optional(i, {sizes_.directions, sizes_.batch, sizes_.hidden}, suffix);
    const ValueId x = optional(i, {sizes_.batch, sizes_.directions, sizes_.hidden}, suffix);
    return x == kNoValue ? x : transposed(context_, x, {1, 0, 2}, suffix);
  }

  // Returns none if all sequences are as long as X.
  ValueId lengths() {
    if (!context_.has_input(kLengths)) return kNoValue;
    const ValueId x = expect(kLengths, {sizes_.batch});
    if (context_.dtype(x) != DType::kInt32) {
      context_.fail("sequence_lens are " + dtype_name(context_.dtype(x)) + ", expected int32");
    }
    if (!context_.is_constant(x)) return x;
    const std::vector<int32_t> known = context_.elements<int32_t>(x);
    const int64_t steps = baked(sizes_.steps, "constant lengths of sequences");
    for (const int32_t length : known) {
      if (length < 0 || length > steps) {
        context_.fail("sequence_lens holds " + std::to_string(length) + ", expected 0 to " +
                      std::to_string(steps));
      }
    }
    const bool whole =
        std::all_of(known.begin(), known.end(), [&](int32_t length) { return length == steps; });
    return whole ? kNoValue : x;
  }

  void add(const std::vector<ValueId>& inputs) {
    const Dims y = {sizes_.steps, sizes_.directions, sizes_.batch, sizes_.hidden};
    const Dims last = {sizes_.directions, sizes_.batch, sizes_.hidden};
    const bool plain = !batch_first_ && type_ == DType::kFloat32;
    std::vector<ValueId> outputs;
    for (uint32_t i = 0; i < recurrent_outputs_of(op_); ++i) {
      if (!context_.wants_output(i)) continue;
      attributes_.outputs |= 1u << i;
      const Dims& dims = i == kY ? y : last;
      outputs.push_back(plain ? context_.add_output(i, DType::kFloat32, dims)
                              : context_.add_between("cell", DType::kFloat32, dims));
    }
    if (outputs.empty()) {
      attributes_.outputs = 1u << kYH;
      outputs.push_back(context_.add_between("unused", DType::kFloat32, last));
    }
    context_.add_node(op_, inputs, outputs, attributes_);
    if (plain) return;
    size_t next = 0;
    for (uint32_t i = 0; i < recurrent_outputs_of(op_); ++i) {
      if (context_.wants_output(i)) give(i, outputs[next++]);
    }
  }

  // Output `i` in the model's type and order of dims.
  void give(uint32_t i, ValueId x) {
    const std::vector<uint32_t> order =
        i == kY ? std::vector<uint32_t>{2, 0, 1, 3} : std::vector<uint32_t>{1, 0, 2};
    if (batch_first_ && type_ != DType::kFloat32) x = transposed(context_, x, order, "batch");
    const Dims dims = context_.dims(x);
    if (type_ != DType::kFloat32) {
      const ValueId y = context_.add_output(i, type_, dims);
      return context_.add_node(Op::kCast, {x}, {y});
    }
    Dims to;
    for (const uint32_t d : order) to.push_back(dims[d]);
    const ValueId y = context_.add_output(i, type_, to);
    context_.add_node(Op::kTranspose, {x}, {y}, order);
  }

  OpContext& context_;
  Op op_;
  DType type_ = DType::kNone;
  bool batch_first_ = false;
  struct {
    uint32_t directions;
    Dim steps, batch, inputs, hidden;
  } sizes_{};
  RecurrentAttributes attributes_{};
};

}  // namespace

void import_recurrent(OpContext& context, Op op) { Recurrent(context, op).run(); }

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
