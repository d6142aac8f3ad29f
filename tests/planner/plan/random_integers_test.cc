// Random graphs of quantized operators, planned for the forms of microcontrollers, which run here
// in plain C++, give what the interpreter gives with references: outputs follow their inputs at the
// distances of these forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

#include "ops/quantized.h"
#include "planner/graph/interpret.h"
#include "planner/plan.h"
#include "tests/environment_count.h"
#include "tests/planner/plan/graph_builder.h"
#include "tests/planner/plan/plain_board.h"
#include "tests/planner/plan/run_program.h"

namespace arenite::test {
namespace {

constexpr uint32_t kIntegerGraphs = 300;

class RandomIntegers {
 public:
  explicit RandomIntegers(uint32_t seed) : random_(seed), halves_(seed % 4 == 0) {}

  Graph run() {
    const DType types[] = {DType::kInt8, DType::kInt8, DType::kInt8, DType::kUint8, DType::kInt16};
    const DType type = types[number(0, 4)];
    values_.push_back(
        builder_.input({number(1, 2), number(1, 20), number(1, 12), number(1, 12)}, type));
    const uint32_t nodes = number(1, 9);
    for (uint32_t i = 0; i < nodes; ++i) add_node();
    builder_.output(values_.back());
    if (number(0, 1) == 0) builder_.output(any());
    return builder_.graph();
  }

 private:
  uint32_t number(uint32_t least, uint32_t most) {
    return std::uniform_int_distribution<uint32_t>(least, most)(random_);
  }
  int32_t signed_number(int32_t least, int32_t most) {
    return std::uniform_int_distribution<int32_t>(least, most)(random_);
  }
  bool seldom() { return number(0, 3) == 0; }
  ValueId any() {
    const auto size = static_cast<uint32_t>(values_.size());
    return values_[std::max(number(0, size - 1), number(0, size - 1))];
  }
  DType type_of(ValueId v) { return builder_.graph().values[v].dtype; }

  template <typename T>
  ValueId constant(const Dims& dims, DType type, T make) {
    const size_t count = std::accumulate(dims.begin(), dims.end(), size_t{1}, std::multiplies<>());
    std::vector<std::byte> bytes(count * element_bytes(type));
    for (size_t i = 0; i < count; ++i) {
      const auto value = static_cast<int64_t>(make());
      std::memcpy(&bytes[i * element_bytes(type)], &value, element_bytes(type));
    }
    return builder_.constant_bytes(dims, type, std::move(bytes));
  }
  static int32_t least(DType type) {
    return type == DType::kUint8 ? 0 : type == DType::kInt8 ? -128 : -32768;
  }
  static int32_t most(DType type) {
    return type == DType::kUint8 ? 255 : type == DType::kInt8 ? 127 : 32767;
  }
  // Zero points of int16 are 0.
  int32_t zero_point(DType type) {
    return type == DType::kInt16 ? 0 : signed_number(least(type), most(type));
  }
  Requantization output(DType type) {
    constexpr Rounding kRoundings[] = {Rounding::kTfliteDouble, Rounding::kTfliteDouble,
                                       Rounding::kTfliteSingle, Rounding::kHalfEven};
    Requantization to = {kRoundings[number(0, 3)], zero_point(type), least(type), most(type)};
    if (seldom()) to.low = std::max(to.low, to.zero_point);
    return to;
  }
  int32_t multiplier() { return signed_number(1 << 30, 0x7fffffff); }

  ValueId made(ValueId v, DType type) {
    builder_.graph().values[v].dtype = type;
    values_.push_back(v);
    return v;
  }

  void add_node() {
    const ValueId x = any();
    const Dims dims = builder_.dims(x);
    if (std::accumulate(dims.begin(), dims.end(), size_t{1}, std::multiplies<>()) > 8000) return;
    switch (number(0, 17)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return add_conv(x, dims);
      case 4:
        return add_depthwise(x, dims);
      case 5:
        return add_matmul(x, dims);
      case 6:
        return add_sum(x, dims);
      case 7:
        return add_product(x, dims);
      case 8:
        return add_pool(x, dims);
      case 9:
        return add_mean(x, dims);
      case 10:
        return add_concat(x, dims);
      case 11:
        return add_softmax(x, dims);
      case 12:
        return add_padding(x, dims);
      case 13:
        return add_requantize(x, dims);
      case 14:
        return add_max_pool(x, dims);
      case 15:
        return add_transposed(x, dims);
      case 16:
        return add_lookup(x, dims);
      default:
        return add_transpose(x, dims);
    }
  }

  // The operands of a convolution or product behind x and w: bias, multipliers and shifts of each
  // output. Sums of so many products use about the range of the results.
  void add_ends(std::vector<ValueId>& inputs, uint32_t outputs, uint64_t products, DType type) {
    int32_t shift = type == DType::kInt16 ? -8 : -6;
    if (halves_) shift += 4;
    for (uint64_t of = 1; of < products; of *= 4) --shift;
    const bool wide = type == DType::kInt16 && number(0, 1) == 0;
    inputs.push_back(seldom() ? kNoValue
                              : constant({outputs}, wide ? DType::kInt64 : DType::kInt32,
                                         [&] { return signed_number(-2000, 2000); }));
    const uint32_t ends = seldom() ? 1 : outputs;
    inputs.push_back(constant({ends}, DType::kInt32, [&] { return multiplier(); }));
    inputs.push_back(constant({ends}, DType::kInt8, [&] { return shift + signed_number(-1, 1); }));
  }

  void add_window(QuantizedConvAttributes& a, const Dims& dims, const uint32_t (&kernel)[2],
                  Dims& to) {
    for (uint32_t axis = 0; axis < 2; ++axis) {
      a.stride[axis] = seldom() ? number(1, 3) : 1;
      a.dilation[axis] = seldom() ? number(1, 2) : 1;
      const uint32_t reach = (kernel[axis] - 1) * a.dilation[axis] + 1;
      const uint32_t pad_least = reach > dims[2 + axis] ? reach - dims[2 + axis] : 0;
      const uint32_t pads = std::max(pad_least, number(0, 1) == 0 ? reach - 1 : 0);
      a.pad_begin[axis] = std::min(reach - 1, number(0, pads));
      to[2 + axis] = (dims[2 + axis] + pads - reach) / a.stride[axis] + 1;
    }
  }

  QuantizedConvAttributes conv_attributes(DType x, DType y) {
    QuantizedConvAttributes a = {};
    a.groups = 1;
    a.x_zero_point = seldom() ? 0 : zero_point(x);
    a.outside = seldom() ? zero_point(x) : a.x_zero_point;
    a.w_zero_point = seldom() ? signed_number(-3, 3) : 0;
    a.output = output(y);
    return a;
  }
  DType result_type(DType x) {
    if (x == DType::kInt16) return x;
    return seldom() ? (x == DType::kInt8 ? DType::kUint8 : DType::kInt8) : x;
  }

  void add_conv(ValueId x, const Dims& dims) {
    if (dims.size() != 4) return;
    const DType type = result_type(type_of(x));
    QuantizedConvAttributes a = conv_attributes(type_of(x), type);
    const bool point = number(0, 1) == 0;
    const uint32_t kernel[2] = {point ? 1 : number(1, 5), point ? 1 : number(1, 5)};
    const uint32_t groups = number(2, 3);
    if (seldom() && dims[1] % groups == 0) a.groups = groups;
    const uint32_t outputs = a.groups * number(1, a.groups == 1 ? 24 : 12);
    Dims to = {dims[0], outputs, 0, 0};
    add_window(a, dims, kernel, to);
    const Dims w = {outputs, dims[1] / a.groups, kernel[0], kernel[1]};
    std::vector<ValueId> inputs = {x, weights(w)};
    add_ends(inputs, outputs, uint64_t{w[1]} * w[2] * w[3], type);
    made(builder_.node(Op::kQuantizedConv, inputs, to, a), type);
  }
  ValueId weights(const Dims& dims) {
    const bool small = halves_ || seldom();  // that fit 4 bits
    return constant(dims, DType::kInt8,
                    [&] { return small ? signed_number(-8, 7) : signed_number(-127, 127); });
  }

  void add_depthwise(ValueId x, const Dims& dims) {
    if (dims.size() != 4) return;
    const DType type = result_type(type_of(x));
    QuantizedConvAttributes a = conv_attributes(type_of(x), type);
    const uint32_t kernel[2] = {number(1, seldom() ? 7 : 3), number(1, seldom() ? 7 : 3)};
    a.groups = dims[1];
    const uint32_t outputs = dims[1] * (seldom() ? number(2, 3) : 1);
    Dims to = {dims[0], outputs, 0, 0};
    add_window(a, dims, kernel, to);
    const Dims w = {outputs, 1, kernel[0], kernel[1]};
    std::vector<ValueId> inputs = {x, weights(w)};
    add_ends(inputs, outputs, uint64_t{w[2]} * w[3], type);
    made(builder_.node(Op::kQuantizedConv, inputs, to, a), type);
  }

  void add_transposed(ValueId x, const Dims& dims) {
    if (dims.size() != 4) return;
    const DType type = result_type(type_of(x));
    QuantizedConvTransposeAttributes a = {};
    a.groups = seldom() && dims[1] % 2 == 0 ? 2 : 1;
    a.x_zero_point = seldom() ? 0 : zero_point(type_of(x));
    a.w_zero_point = seldom() ? signed_number(-3, 3) : 0;
    a.output = output(type);
    const uint32_t outputs = a.groups * number(1, a.groups == 1 ? 20 : 9);
    Dims w = {outputs, dims[1] / a.groups, 1, 1, 1};
    Dims to = {dims[0], outputs, 1, 1, 1};
    for (uint32_t axis = 0; axis < 3; ++axis) {
      a.stride[axis] = a.dilation[axis] = 1;
      if (axis == 0) continue;
      w[2 + axis] = number(1, 4);
      a.stride[axis] = number(1, 3);
      if (seldom()) a.dilation[axis] = number(1, 3);
      const uint32_t all =
          (dims[1 + axis] - 1) * a.stride[axis] + (w[2 + axis] - 1) * a.dilation[axis] + 1;
      a.pad_begin[axis] = number(0, std::min(all - 1, 2u));
      const uint32_t left = all - a.pad_begin[axis];
      to[2 + axis] = left - number(0, std::min(left - 1, 2u)) + (seldom() ? 1 : 0);
    }
    const ValueId volume = builder_.reshape(x, {dims[0], dims[1], 1, dims[2], dims[3]});
    builder_.graph().values[volume].dtype = type_of(x);
    std::vector<ValueId> inputs = {volume, weights(w)};
    add_ends(inputs, outputs, uint64_t{w[1]} * w[3] * w[4], type);
    const ValueId y = builder_.node(Op::kQuantizedConvTranspose, inputs, to, a);
    builder_.graph().values[y].dtype = type;
    made(builder_.reshape(y, {to[0], to[1], to[3], to[4]}), type);
  }

  void add_matmul(ValueId x, const Dims& dims) {
    const DType type = type_of(x);
    const Dims rows = {dims[0],
                       std::accumulate(dims.begin() + 1, dims.end(), 1u, std::multiplies<>())};
    const ValueId a = dims.size() == 2 ? x : builder_.reshape(x, rows);
    builder_.graph().values[a].dtype = type;
    const uint32_t columns = number(1, 40);
    QuantizedMatMulAttributes attributes = {};
    attributes.a_zero_point = zero_point(type);
    attributes.b_zero_point = seldom() ? signed_number(-3, 3) : 0;
    attributes.output = output(type);
    std::vector<ValueId> inputs = {a, weights({rows[1], columns})};
    std::vector<ValueId> ends;
    add_ends(ends, columns, rows[1], type);
    for (const ValueId end : ends) {
      if (end == kNoValue) {
        inputs.push_back(end);
        continue;
      }
      const uint32_t count = builder_.dims(end)[0];
      inputs.push_back(builder_.reshape(end, {1, count}));
      builder_.graph().values[inputs.back()].dtype = type_of(end);
    }
    made(builder_.node(Op::kQuantizedMatMul, inputs, {rows[0], columns}, attributes), type);
  }

  // An earlier value of the same dims and type.
  ValueId other_of(ValueId x) {
    ValueId other = x;
    for (const ValueId v : values_) {
      if (builder_.dims(v) == builder_.dims(x) && type_of(v) == type_of(x) &&
          (other == x || number(0, 1) == 0)) {
        other = v;
      }
    }
    return other;
  }

  void add_sum(ValueId x, const Dims& dims) {
    const DType type = type_of(x);
    QuantizedAddAttributes a = {};
    a.output = output(type);
    a.output.rounding = number(0, 1) == 0 ? Rounding::kTfliteDouble : Rounding::kTfliteSingle;
    for (uint32_t i = 0; i < 2; ++i) a.zero_points[i] = zero_point(type);
    for (uint32_t i = 0; i < 3; ++i) a.multipliers[i] = multiplier();
    a.left_shift = type == DType::kInt16 ? 15 : 20;
    a.shifts[0] = signed_number(-2, 0);
    a.shifts[1] = signed_number(-2, 0);
    a.shifts[2] = -static_cast<int32_t>(a.left_shift) + signed_number(0, 1);
    if (seldom()) a.kind = SumKind::kDifference;
    made(builder_.node(Op::kQuantizedAdd, {x, other_of(x)}, dims, a), type);
  }

  void add_product(ValueId x, const Dims& dims) {
    const DType type = type_of(x);
    QuantizedMulAttributes a = {};
    a.output = output(type);
    for (uint32_t i = 0; i < 2; ++i) a.zero_points[i] = zero_point(type);
    a.multiplier = multiplier();
    a.shift = type == DType::kInt16 ? -14 : -6;
    made(builder_.node(Op::kQuantizedMul, {x, other_of(x)}, dims, a), type);
  }

  void add_pool(ValueId x, const Dims& dims) {
    if (dims.size() != 4) return;
    const DType type = type_of(x);
    QuantizedAveragePoolAttributes a = {};
    Dims to = {dims[0], dims[1], 1, dims[2], dims[3]};
    const ValueId volume = builder_.reshape(x, to);
    builder_.graph().values[volume].dtype = type;
    for (uint32_t axis = 0; axis < 3; ++axis) {
      const uint32_t in = to[2 + axis];
      a.kernel[axis] = seldom() ? in : number(1, std::min(3u, in));
      a.stride[axis] = number(1, 2);
      a.dilation[axis] = 1;
      const uint32_t pads = axis != 0 && a.kernel[axis] > 1 ? number(0, 1) : 0;
      a.pad_begin[axis] = pads;
      to[2 + axis] = (in + pads - a.kernel[axis]) / a.stride[axis] + 1;
    }
    a.output = output(type);
    if (number(0, 1) == 0) {
      a.x_zero_point = zero_point(type);
      a.multiplier = multiplier();
      a.shift = -static_cast<int32_t>(number(0, 4));
    } else {
      a.output.rounding = Rounding::kTfliteDouble;
      a.output.zero_point = 0;
      a.output.low = least(type);
    }
    const ValueId y = builder_.node(Op::kQuantizedAveragePool, {volume}, to, a);
    builder_.graph().values[y].dtype = type;
    made(builder_.reshape(y, {to[0], to[1], to[3], to[4]}), type);
  }

  void add_mean(ValueId x, const Dims& dims) {
    const DType type = type_of(x);
    QuantizedSumAttributes a = {};
    a.axes = number(1, (1u << dims.size()) - 1);
    Dims to = dims;
    for (size_t d = 0; d < dims.size(); ++d) {
      if ((a.axes >> d & 1u) != 0) to[d] = 1;
    }
    a.x_zero_point = zero_point(type);
    a.multiplier = multiplier();
    a.shift = -static_cast<int32_t>(number(0, 6));
    a.output = output(type);
    made(builder_.node(Op::kQuantizedSum, {x}, to, a), type);
  }

  void add_concat(ValueId x, const Dims& dims) {
    const auto axis = number(0, static_cast<uint32_t>(dims.size()) - 1);
    made(builder_.concat({x, other_of(x)}, axis), type_of(x));
  }

  void add_softmax(ValueId x, const Dims& dims) {
    const DType type = type_of(x);
    if (type == DType::kInt16) return;
    const auto last = static_cast<uint32_t>(dims.size()) - 1;
    QuantizedSoftmaxAttributes a = {};
    a.axes = 1u << number(last == 0 ? 0 : last - 1, last);
    a.multiplier = multiplier();
    a.shift = signed_number(18, 25);
    a.diff_min = -((31 << 26) >> a.shift);
    a.output = {Rounding::kTfliteDouble, least(type), least(type), most(type)};
    made(builder_.node(Op::kQuantizedSoftmax, {x}, dims, a), type);
  }

  void add_padding(ValueId x, const Dims& dims) {
    if (dims.size() != 4) return;
    PadAttributes a = {};
    Dims to = dims;
    for (size_t d = 2; d < 4; ++d) {
      a.begin[d] = static_cast<int32_t>(number(0, 2));
      to[d] += static_cast<uint32_t>(a.begin[d]) + number(0, 2);
    }
    const DType type = type_of(x);
    a.value_bits[0] =
        static_cast<uint32_t>(zero_point(type)) & (element_bytes(type) == 1 ? 0xffu : 0xffffu);
    made(builder_.node(Op::kPad, {x}, to, a), type);
  }

  void add_requantize(ValueId x, const Dims& dims) {
    DType type = result_type(type_of(x));
    if (seldom()) type = type == DType::kInt16 ? DType::kInt8 : DType::kInt16;
    RequantizeAttributes a = {zero_point(type_of(x)), multiplier(), signed_number(-1, 1),
                              output(type)};
    made(builder_.node(Op::kRequantize, {x}, dims, a), type);
  }

  void add_max_pool(ValueId x, const Dims& dims) {
    if (dims.size() != 4) return;
    PoolAttributes a = {};
    Dims to = dims;
    for (uint32_t d = 0; d < 3; ++d) {
      a.kernel[d] = a.stride[d] = a.dilation[d] = 1;
      if (d == 0) continue;
      const uint32_t in = dims[d + 1];
      a.kernel[d] = seldom() ? in : number(1, std::min(3u, in));
      a.stride[d] = number(1, 2);
      if (seldom() && 2 * a.kernel[d] <= in) a.dilation[d] = 2;
      const uint32_t reach = (a.kernel[d] - 1) * a.dilation[d] + 1;
      const uint32_t pads = number(0, 1) == 0 ? reach - 1 : 0;
      a.pad_begin[d] = number(0, pads);
      a.pad_end[d] = pads - a.pad_begin[d];
      to[d + 1] = (in + pads - reach) / a.stride[d] + 1;
    }
    made(builder_.node(Op::kMaxPool, {x}, to, a), type_of(x));
  }

  void add_lookup(ValueId x, const Dims& dims) {
    const DType type = type_of(x);
    if (type == DType::kInt16) return;
    const DType to = result_type(type);
    const ValueId table = constant({256}, to, [&] { return signed_number(least(to), most(to)); });
    made(builder_.node(Op::kLookup, {x, table}, dims), to);
  }

  void add_transpose(ValueId x, const Dims& dims) {
    std::vector<uint32_t> permutation(dims.size());
    std::iota(permutation.begin(), permutation.end(), 0u);
    std::shuffle(permutation.begin(), permutation.end(), random_);
    made(builder_.transpose(x, permutation), type_of(x));
  }

  std::mt19937 random_;
  const bool halves_;  // all weights of products fit 4 bits
  GraphBuilder builder_;
  std::vector<ValueId> values_;
};

// Any bytes: inputs of the whole range.
std::vector<std::vector<std::byte>> any_inputs(const Graph& graph, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::vector<std::byte>> inputs = test_inputs(graph, seed);
  for (std::vector<std::byte>& input : inputs) {
    for (std::byte& byte : input) byte = static_cast<std::byte>(random());
  }
  return inputs;
}

TEST(RandomIntegerGraphs, OnFormsOfMicrocontrollers) {
  const uint32_t graphs = environment_count("ARENITE_TEST_INTEGER_GRAPHS", kIntegerGraphs);
  std::vector<planner::Board> boards = {unmeasured_board("mps2-an386"),
                                        unmeasured_board("mps3-an547"),
                                        unmeasured_board("mps2-an386")};
  boards[2].cpu_features = 0;
  boards[2].variants = {{}};
  std::vector<uint32_t> special(boards.size());    // steps that such forms take, of each board
  std::vector<uint32_t> of_halves(boards.size());  // of these such for weights of 4 bits
  for (uint32_t seed = 1; seed <= graphs; ++seed) {
    const Graph graph = RandomIntegers(seed).run();
    const auto inputs = any_inputs(graph, seed);
    const auto expected = planner::interpret(graph, inputs);
    for (size_t b = 0; b < boards.size(); ++b) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " on board " + std::to_string(b));
      planner::PlanOptions options;
      options.boards = {boards[b]};
      options.few_halves = true;
      const planner::PlanResult planned = planner::plan_graphs({{"main", graph, {}}}, options);
      const OpenProgram program(planned.program);
      for (const format::StepRecord& step : program->steps_of(program->variants()[0])) {
        special[b] += step.form >= kFirstSpecialForm;
        const auto op = static_cast<Op>(step.op);
        const bool is_product = op == Op::kQuantizedConv || op == Op::kQuantizedMatMul;
        of_halves[b] += is_product && (step.form == 24 || step.form == 25);
      }
      ASSERT_EQ(run(*program, {}, inputs), expected);
    }
  }
  for (const uint32_t count : special) EXPECT_GT(count, graphs);
  EXPECT_GE(of_halves[0], graphs / 10);
  EXPECT_GE(of_halves[1], graphs / 10);
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
