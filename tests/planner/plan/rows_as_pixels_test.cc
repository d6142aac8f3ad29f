// Tests that few rows of integer products become convolutions in programs for their own images,
// with the same bits, and that all others stay.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "planner/board/board.h"
#include "planner/graph/interpret.h"
#include "planner/plan.h"
#include "tests/planner/plan/graph_builder.h"
#include "tests/planner/plan/run_program.h"

namespace arenite::test {
namespace {

// A network of two convolutions, whose results are `kDepth` numbers, and what comes behind.
class Network {
 public:
  static constexpr uint32_t kDepth = 16;

  explicit Network(DType x = DType::kInt8) : x_type_(x) {
    const ValueId x_value = b.input({1, 8, 12, 12}, x);
    pixel = conv(conv(x_value, {8, 8, 3, 3}, 1, {1, 8, 12, 12}), {kDepth, 8, 12, 12}, 0,
                 {1, kDepth, 1, 1});
  }

  ValueId conv(ValueId x, const Dims& w, uint32_t pad, const Dims& y) {
    QuantizedConvAttributes a = {1, {1, 1}, {1, 1}, {pad, pad}, zero(), 0, zero(), output()};
    return b.node(Op::kQuantizedConv, product_inputs(x, w, {w[0]}, {w[0]}), y, a);
  }

  // A product of `rows` rows of `depth` numbers.
  ValueId matmul(ValueId x, uint32_t rows, uint32_t depth, uint32_t columns, const Dims& factors,
                 bool has_bias = true) {
    const Dims w = {depth, columns};
    std::vector<ValueId> inputs = product_inputs(x, w, {columns}, factors);
    if (!has_bias) inputs[2] = kNoValue;
    return b.node(Op::kQuantizedMatMul, inputs, {rows, columns},
                  QuantizedMatMulAttributes{zero(), 0, output()});
  }

  ValueId row() { return b.reshape(pixel, {1, kDepth}); }

  GraphBuilder b;
  ValueId pixel;

 private:
  int32_t zero() const { return x_type_ == DType::kUint8 ? 128 : -3; }
  Requantization output() const {
    const bool is_unsigned = x_type_ == DType::kUint8;
    return {.rounding = Rounding::kTfliteDouble,
            .zero_point = is_unsigned ? 130 : 5,
            .low = is_unsigned ? 0 : -128,
            .high = is_unsigned ? 255 : 127};
  }

  template <typename T>
  ValueId numbers(const Dims& dims, DType dtype, T least, T most) {
    size_t count = 1;
    for (const uint32_t dim : dims) count *= dim;
    std::vector<std::byte> bytes(count * sizeof(T));
    for (size_t i = 0; i < count; ++i) {
      const T number = static_cast<T>(std::uniform_int_distribution<int64_t>(least, most)(random_));
      std::memcpy(bytes.data() + i * sizeof(T), &number, sizeof(T));
    }
    return b.constant_bytes(dims, dtype, bytes);
  }

  std::vector<ValueId> product_inputs(ValueId x, const Dims& w, const Dims& bias,
                                      const Dims& factors) {
    return {x, numbers<int8_t>(w, DType::kInt8, -127, 127),
            numbers<int32_t>(bias, DType::kInt32, -5000, 5000),
            numbers<int32_t>(factors, DType::kInt32, 1 << 30, INT32_MAX),
            numbers<int8_t>(factors, DType::kInt8, -9, -7)};
  }

  const DType x_type_;
  std::mt19937 random_{7};
};

size_t steps_of(const Program& program, Op op) {
  const auto steps = program.steps_of(program.variants()[0]);
  return static_cast<size_t>(
      std::ranges::count(steps, static_cast<uint16_t>(op), &format::StepRecord::op));
}

// Plans for a board, compares what the program gives with the graph's results, and counts products.
size_t products_in(const Graph& graph, const char* board = "mps2-an386",
                   std::optional<bool> exact = std::nullopt) {
  planner::PlanOptions options;
  options.boards = {planner::find_board(board)};
  options.exact_forms = exact;
  const OpenProgram program(planner::plan_graphs({{"main", graph, {}}}, options).program);
  auto inputs = test_inputs(graph, 3);
  std::mt19937 random(5);
  for (std::byte& byte : inputs[0]) byte = static_cast<std::byte>(random());
  EXPECT_EQ(run(*program, {}, inputs), planner::interpret(graph, inputs));
  return steps_of(*program, Op::kQuantizedMatMul);
}

TEST(RowsAsPixels, FewRowsBecomeConvolutions) {
  for (const DType type : {DType::kInt8, DType::kUint8}) {
    for (const char* board : {"mps2-an386", "mps3-an547"}) {
      SCOPED_TRACE(board);
      Network n(type);
      n.b.output(n.matmul(n.row(), 1, Network::kDepth, 10, {10}));
      EXPECT_EQ(products_in(n.b.graph(), board), 0u);
      Network single(type);
      single.b.output(single.matmul(single.row(), 1, Network::kDepth, 10, {1}, false));
      EXPECT_EQ(products_in(single.b.graph(), board), 0u);
      Network several(type);
      const ValueId first = several.matmul(several.row(), 1, Network::kDepth, 10, {10});
      several.b.output(several.matmul(first, 1, 10, 7, {1}));
      several.b.output(several.pixel);
      EXPECT_EQ(products_in(several.b.graph(), board), 0u);
    }
  }
}

TEST(RowsAsPixels, ReadsNumbersInTheirOrder) {
  Network n;
  const ValueId square = n.b.transpose(n.b.reshape(n.pixel, {4, 4}), {1, 0});
  n.b.output(n.matmul(n.b.reshape(square, {1, Network::kDepth}), 1, Network::kDepth, 10, {10}));
  EXPECT_EQ(products_in(n.b.graph()), 0u);
  Network moved;
  const ValueId last = moved.b.transpose(moved.pixel, {0, 2, 3, 1});
  moved.b.output(
      moved.matmul(moved.b.reshape(last, {1, Network::kDepth}), 1, Network::kDepth, 10, {10}));
  EXPECT_EQ(products_in(moved.b.graph()), 0u);
}

TEST(RowsAsPixels, OthersStay) {
  Network many;  // work that a form of rows is for
  many.b.output(many.matmul(many.row(), 1, Network::kDepth, 64, {64}));
  EXPECT_EQ(products_in(many.b.graph()), 1u);
  Network rows;  // one of several rows, whose form is linked anyway
  const ValueId few = rows.matmul(rows.row(), 1, Network::kDepth, 8, {8});
  rows.b.output(few);
  rows.b.output(rows.matmul(rows.b.reshape(few, {2, 4}), 2, 4, 3, {3}));
  EXPECT_EQ(products_in(rows.b.graph()), 2u);
  Network any;  // a program that may meet an image with all operators
  any.b.output(any.matmul(any.row(), 1, Network::kDepth, 10, {10}));
  EXPECT_EQ(products_in(any.b.graph(), "mps2-an386", false), 1u);
}

// Forms of float rows add up from the bias on in both, so that a program for its own image gives
// the bits of one for any image.
TEST(RowsAsPixels, FloatsKeepTheirBitsOnFormsOfRows) {
  GraphBuilder b;
  const ValueId pixel = b.conv(b.conv(b.input({1, 8, 12, 12}), 8, 3, 1), 16, 12);
  const ValueId row = b.reshape(pixel, {1, 16});
  MatMulAttributes attributes = {1.0f, 1.0f, {}};
  attributes.activation = {ActivationKind::kClip, 0.0f, 6.0f};
  b.output(b.node(Op::kMatMul, {row, b.constant({16, 10}, 3), b.constant({10}, 4)}, {1, 10},
                  attributes));
  const auto inputs = test_inputs(b.graph(), 3);
  for (const char* board : {"mps2-an386", "mps3-an547"}) {
    SCOPED_TRACE(board);
    planner::PlanOptions options;
    options.boards = {planner::find_board(board)};
    const OpenProgram own(planner::plan_graphs({{"main", b.graph(), {}}}, options).program);
    options.exact_forms = false;
    const OpenProgram any(planner::plan_graphs({{"main", b.graph(), {}}}, options).program);
    EXPECT_EQ(steps_of(*own, Op::kMatMul), 0u);
    EXPECT_EQ(steps_of(*any, Op::kMatMul), 1u);
    const CpuFeatures features = options.boards[0].cpu_features;
    EXPECT_EQ(run(*own, {.features = features}, inputs), run(*any, {.features = features}, inputs));
  }
}

TEST(RowsAsPixels, FloatsStayWithoutFormsOfRows) {
  GraphBuilder b;
  const ValueId pixel = b.conv(b.conv(b.input({1, 8, 12, 12}), 8, 3, 1), 16, 12);
  b.output(b.matmul(b.reshape(pixel, {1, 16}), b.constant({16, 10}, 3), {1, 10}));
  planner::PlanOptions options;
  options.boards = {planner::find_board("mps2-an386")};
  options.boards[0].cpu_features = 0;
  options.boards[0].variants = {{}};
  const OpenProgram program(planner::plan_graphs({{"main", b.graph(), {}}}, options).program);
  EXPECT_EQ(steps_of(*program, Op::kMatMul), 1u);
  const auto inputs = test_inputs(b.graph(), 3);
  EXPECT_EQ(run(*program, {}, inputs), planner::interpret(b.graph(), inputs));
}

TEST(RowsAsPixels, RowsAloneStay) {
  GraphBuilder b;
  const ValueId x = b.input({1, 4}, DType::kInt8);
  const auto bytes = [](size_t count) { return std::vector<std::byte>(count, std::byte{1}); };
  const std::vector<ValueId> inputs = {x, b.constant_bytes({4, 2}, DType::kInt8, bytes(8)),
                                       kNoValue, b.constant_bytes({1}, DType::kInt32, bytes(4)),
                                       b.constant_bytes({1}, DType::kInt8, bytes(1))};
  b.output(b.node(Op::kQuantizedMatMul, inputs, {1, 2},
                  QuantizedMatMulAttributes{0, 0, {Rounding::kTfliteDouble, 0, -128, 127}}));
  EXPECT_EQ(products_in(b.graph()), 1u);
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
