// Weights of 4 bits are stored two a byte: in half the bytes, with the same results; and what a
// damaged program says of them is refused.
#include <gtest/gtest.h>

#include <cstdio>

#include "planner/graph/interpret.h"
#include "planner/import/import.h"
#include "planner/passes/passes.h"
#include "planner/plan.h"
#include "planner/program/writer.h"
#include "tests/planner/model/model_builder.h"
#include "tests/planner/plan/graph_builder.h"
#include "tests/planner/plan/run_program.h"
#include "tests/planner/plan/vulkan_run.h"
#include "tests/planner/tflite/tflite_builder.h"

namespace arenite::test {
namespace {

// Integer sums of a convolution, a depthwise one and a matrix product, of weights in that range.
Graph products(DType type, int low, int high) {
  GraphBuilder b;
  QuantizedConvAttributes conv = {};
  conv.groups = 1;
  for (uint32_t axis = 0; axis < 2; ++axis) conv.stride[axis] = conv.dilation[axis] = 1;
  const auto weights = [&](const Dims& dims) {
    size_t count = 1;
    for (const uint32_t dim : dims) count *= dim;
    return b.constant_bytes(dims, type, random_weights(count, low, high));
  };
  const ValueId x = b.input({1, 3, 5, 5}, DType::kInt8), m = b.input({4, 7}, DType::kInt8);
  const auto sums = [&](Op op, const std::vector<ValueId>& inputs, const Dims& dims,
                        const auto& attributes) {
    const ValueId y = b.node(op, inputs, dims, attributes);
    b.graph().values[y].dtype = DType::kInt32;
    b.output(y);
  };
  sums(Op::kQuantizedConv, {x, weights({5, 3, 3, 3})}, {1, 5, 3, 3}, conv);
  conv.groups = 3;
  sums(Op::kQuantizedConv, {x, weights({3, 1, 3, 3})}, {1, 3, 3, 3}, conv);
  sums(Op::kQuantizedMatMul, {m, weights({7, 9})}, {4, 9}, QuantizedMatMulAttributes{});
  return b.graph();
}

planner::PlanResult plan(const Graph& graph, bool near = false) {
  planner::PlanOptions options;
  options.boards = {planner::find_board("mps3-an547")};
  // Forms for vectors of int8 want whole bytes.
  options.boards[0].cpu_features = 0;
  for (auto& variant : options.boards[0].variants) variant.cpu_features = 0;
  options.near_constants = near;
  return planner::plan_graphs({{"main", graph, {}}}, options);
}

uint64_t constant_bytes(const Program& program) {
  uint64_t bytes = 0;
  for (const format::ConstantRecord& constant : program.constants()) bytes += constant.bytes;
  return bytes;
}

void print(const char* model, uint64_t bytes, uint64_t weights) {
  std::printf("%s: %llu bytes of constants, with %llu weights\n", model,
              static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(weights));
}

bool needs_feature(const Program& program) {
  return (program.header().required_features & format::kPacked4Feature) != 0;
}

TEST(PackedWeights, HalfTheBytesAndTheSameBits) {
  for (const bool near : {false, true}) {
    for (const auto& [type, low, high] :
         {std::tuple(DType::kInt8, -8, 7), std::tuple(DType::kUint8, 0, 15)}) {
      const Graph graph = products(type, low, high);
      const planner::PlanResult result = plan(graph, near);
      const OpenProgram program(result.program);
      EXPECT_TRUE(needs_feature(*program));
      if (!near) {
        // 135, 27 and 63 elements.
        EXPECT_EQ(constant_bytes(*program), 68u + 14 + 32);
        for (const format::ConstantRecord& constant : program->constants()) {
          EXPECT_EQ(constant.layout, static_cast<uint8_t>(Layout::kPacked4));
        }
      }
      const auto inputs = test_inputs(graph, 7);
      EXPECT_EQ(run(*program, {}, inputs), planner::interpret(graph, inputs));
    }
  }
}

// A board whose forms read them takes blocks of them where they save more than their code.
TEST(PackedWeights, InBlocksOfForms) {
  for (const uint32_t rows : {24u, 768u}) {
    GraphBuilder b;
    const ValueId x = b.input({4, rows}, DType::kInt8);
    const ValueId w = b.constant_bytes({rows, 19}, DType::kInt8, random_weights(rows * 19, -8, 7));
    QuantizedMatMulAttributes attributes = {};
    attributes.output = {Rounding::kTfliteDouble, 3, -128, 127};
    const ValueId multiplier =
        b.constant_bytes({1, 1}, DType::kInt32,
                         {std::byte{0x99}, std::byte{0x79}, std::byte{0x82}, std::byte{0x5a}});
    const ValueId shift = b.constant_bytes({1, 1}, DType::kInt8, {std::byte{0xf9}});
    const ValueId y = b.node(Op::kQuantizedMatMul, {x, w, planner::kNoValue, multiplier, shift},
                             {4, 19}, attributes);
    b.graph().values[y].dtype = DType::kInt8;
    b.output(y);
    const bool is_worth_it = rows == 768;
    struct Machine {
      const char* board;
      int form_of_halves, form_of_bytes;
      uint64_t columns;  // with those that fill blocks
    };
    for (const Machine& machine : {Machine{"mps2-an386", 24, 8, 20}, {"mps3-an547", 25, 9, 19}}) {
      planner::PlanOptions options;
      options.boards = {planner::find_board(machine.board)};
      const planner::PlanResult result = planner::plan_graphs({{"main", b.graph(), {}}}, options);
      const OpenProgram program(result.program);
      const format::StepRecord& step = program->steps_of(program->variants()[0])[0];
      EXPECT_EQ(step.form, is_worth_it ? machine.form_of_halves : machine.form_of_bytes);
      const uint64_t weights = machine.columns * rows / (is_worth_it ? 2 : 1);
      EXPECT_EQ(constant_bytes(*program), weights + 5);
      const auto inputs = test_inputs(b.graph(), 7);
      EXPECT_EQ(run(*program, {}, inputs), planner::interpret(b.graph(), inputs));
    }
  }
}

TEST(PackedWeights, OnVulkan) {
  VulkanRun vulkan;
  ASSERT_TRUE(vulkan.ready());
  planner::PlanOptions options;
  options.boards = {planner::find_board("host")};
  const Graph graph = products(DType::kInt8, -8, 7);
  const planner::PlanResult result = planner::plan_graphs({{"main", graph, {}}}, options);
  ASSERT_EQ(result.report.variants[0].counts.cpu, 0u);
  const OpenProgram program(result.program);
  EXPECT_TRUE(needs_feature(*program));
  const auto inputs = test_inputs(graph, 7);
  EXPECT_EQ(vulkan.run(*program, 0, 0, inputs), planner::interpret(graph, inputs));
  EXPECT_EQ(vulkan.validation_messages(), 0u);
}

TEST(PackedWeights, OnlyWhatFits) {
  const Graph graph = products(DType::kInt8, -30, 30);
  const planner::PlanResult result = plan(graph);
  const OpenProgram program(result.program);
  EXPECT_EQ(constant_bytes(*program), 135u + 27 + 63);
  EXPECT_FALSE(needs_feature(*program));
  const auto inputs = test_inputs(graph, 7);
  EXPECT_EQ(run(*program, {}, inputs), planner::interpret(graph, inputs));
}

// INT4 of ONNX, between dequantize and quantize.
TEST(PackedWeights, OfOnnx) {
  using planner::integer_tensor;
  planner::ModelBuilder model(21);
  model.input("x", {"1", "16", "6", "6"}, DType::kInt8).output("y", DType::kInt8);
  std::vector<int> elements;
  for (int i = 0; i < 24 * 16 * 9; ++i) elements.push_back(i * 7 % 16 - 8);
  model.initializer("w", integer_tensor(DType::kInt8, {24, 16, 3, 3}, elements, true));
  model.initializer("ws", planner::float_tensor({24}, std::vector<float>(24, 0.02f)));
  model.initializer("wz", integer_tensor(DType::kInt8, {24}, std::vector<int>(24, 0), true));
  model.initializer("s", planner::float_tensor({}, {0.1f}));
  model.initializer("z", integer_tensor(DType::kInt8, {}, {3}));
  model.node("DequantizeLinear", {"w", "ws", "wz"}, {"dw"}, "dw").with("axis", 0);
  model.node("DequantizeLinear", {"x", "s", "z"}, {"dx"}, "dx");
  model.node("Conv", {"dx", "dw"}, {"c"}, "conv");
  model.node("QuantizeLinear", {"c", "s", "z"}, {"y"}, "q");
  Graph graph = planner::import_onnx(model.bytes(), {});
  planner::optimize(graph);
  ASSERT_EQ(graph.nodes.size(), 1u);
  EXPECT_EQ(graph.nodes[0].op, Op::kQuantizedConv);
  const OpenProgram program(plan(graph).program);
  const uint64_t bytes = constant_bytes(*program);
  EXPECT_GE(bytes, 24u * 16 * 9 / 2);
  EXPECT_LT(bytes, 24u * 16 * 9 / 2 + 24 * 10);  // bias, multipliers and shifts
  print("ONNX", bytes, 24u * 16 * 9);
  const auto inputs = test_inputs(graph, 7);
  EXPECT_EQ(run(*program, {}, inputs), planner::interpret(graph, inputs));
}

// FULLY_CONNECTED over int4 of TensorFlow Lite.
TEST(PackedWeights, OfTensorFlowLite) {
  namespace tfl = planner::tfl;
  planner::TfliteBuilder model;
  const int32_t x = model.input("x", {2, 65}, tfl::TensorType_INT8);
  const int32_t w = model.tensor("w", {41, 65}, tfl::TensorType_INT4);
  const int32_t y = model.tensor("y", {2, 41}, tfl::TensorType_INT8);
  std::vector<uint8_t> pairs;
  for (int i = 0; i < (41 * 65 + 1) / 2; ++i) pairs.push_back(static_cast<uint8_t>(i * 37));
  model.set_bytes(w, pairs);
  model.set_quantized(x, {{0.1f}, {3}});
  model.set_quantized(w, {{0.02f}, {0}});
  model.set_quantized(y, {{0.3f}, {-5}});
  model.op(9, {x, w}, {y});
  model.output(y);
  Graph graph = std::move(planner::import_model(model.bytes(), {})[0].graph);
  planner::optimize(graph);
  const OpenProgram program(plan(graph).program);
  const uint64_t bytes = constant_bytes(*program);
  EXPECT_GE(bytes, 41u * 65 / 2);
  EXPECT_LT(bytes, 41u * 65 / 2 + 41 * 10);
  print("TensorFlow Lite", bytes, 41u * 65);
  const auto inputs = test_inputs(graph, 7);
  EXPECT_EQ(run(*program, {}, inputs), planner::interpret(graph, inputs));
}

// Damage that a file may have, and the check that finds it.
TEST(PackedWeights, DamageIsNamed) {
  const planner::PlanResult result = plan(products(DType::kInt8, -8, 7));
  const OpenProgram whole(result.program);
  const auto code_of = [&](auto plant) {
    planner::ProgramTables tables = planner::tables_of(*whole);
    plant(tables);
    const std::vector<std::byte> file = planner::write_program(tables);
    GuardedBytes copy(file.size());
    std::copy(file.begin(), file.end(), copy.bytes().begin());
    Program program;
    return Program::open(copy.bytes(), program).code;
  };
  EXPECT_EQ(code_of([](auto&) {}), Code::kOk);
  EXPECT_EQ(code_of([](auto& t) { t.required_features = 0; }), Code::kBadValue);
  EXPECT_EQ(code_of([](auto& t) { --t.constants[0].bytes; }), Code::kBadValue);
  EXPECT_EQ(code_of([](auto& t) { t.constants[0].layout = 3; }), Code::kBadValue);
  EXPECT_EQ(code_of([](auto& t) {
              t.constants[0].dtype = static_cast<uint8_t>(DType::kInt16);
              t.constants[0].offset = 0;
            }),
            Code::kBadValue);
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
