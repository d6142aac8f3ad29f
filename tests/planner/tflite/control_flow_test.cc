// Tests calls of other subgraphs, branches and loops.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planner/graph/obstacles.h"
#include "tests/planner/tflite/tflite_builder.h"

namespace arenite::planner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr int32_t kAdd = 0, kMul = 18, kCall = 31, kLess = 58, kIf = 118, kWhile = 119;

int32_t binary(TfliteBuilder& model, int32_t code, int32_t a, int32_t b,
               const std::vector<int32_t>& dims, tfl::TensorType type = tfl::TensorType_FLOAT32) {
  const int32_t y = model.tensor("made", dims, type);
  model.op(code, {a, b}, {y});
  return y;
}

// y = x op x.
TfliteBuilder twice(int32_t code) {
  TfliteBuilder model;
  const int32_t x = model.input("x", {2});
  model.output(binary(model, code, x, x, {2}));
  return model;
}

void call(TfliteBuilder& model, int32_t code, const std::vector<int32_t>& inputs,
          const std::vector<int32_t>& outputs, int32_t a, int32_t b) {
  if (code == kIf) {
    model.op(code, inputs, outputs, tfl::BuiltinOptions_IfOptions,
             made_by<tfl::CreateIfOptions>(a, b));
  } else if (code == kWhile) {
    model.op(code, inputs, outputs, tfl::BuiltinOptions_WhileOptions,
             made_by<tfl::CreateWhileOptions>(a, b));
  } else {
    model.op(code, inputs, outputs, tfl::BuiltinOptions_CallOptions,
             made_by<tfl::CreateCallOptions>(static_cast<uint32_t>(a)));
  }
}

TensorData one_bool(bool value) {
  return {DType::kBool, {1}, {value ? std::byte{1} : std::byte{0}}};
}

TEST(TfliteControlFlow, ACalledSubgraphTakesTheCallsPlace) {
  TfliteBuilder model;
  const int32_t x = model.input("x", {2});
  const int32_t y = model.tensor("y", {2}), z = model.tensor("z", {2});
  call(model, kCall, {x}, {y}, 1, 0);
  call(model, kCall, {y}, {z}, 1, 0);
  model.output(z);
  model.subgraph(twice(kMul));
  EXPECT_THAT(run_tflite_floats(model, {pair(2, 3)}), ElementsAre(16, 81));
}

TEST(TfliteControlFlow, TheBranchOfAConstantCondition) {
  for (const bool then : {true, false}) {
    TfliteBuilder model;
    const int32_t x = model.input("x", {2});
    const int32_t condition = model.constant(one_bool(then));
    const int32_t y = model.tensor("y", {2});
    call(model, kIf, {condition, x}, {y}, 1, 2);
    model.output(y);
    model.subgraph(twice(kMul));
    model.subgraph(twice(kAdd));
    EXPECT_THAT(run_tflite_floats(model, {pair(5, 3)}),
                then ? ElementsAre(25, 9) : ElementsAre(10, 6));
  }
}

// Such constants wait for passes that want to see their integers; the condition does not.
TEST(TfliteControlFlow, AConditionOfQuantizedConstantsIsKnown) {
  constexpr int32_t kGreater = 61;
  TfliteBuilder model;
  const int32_t x = model.input("x", {2});
  const int32_t a = model.constant(integer_tensor(DType::kInt8, {1}, {5}));
  const int32_t b = model.constant(integer_tensor(DType::kInt8, {1}, {-2}));
  model.set_quantized(a, {{0.5f}, {3}});
  model.set_quantized(b, {{0.25f}, {-1}});
  const int32_t condition = model.tensor("condition", {1}, tfl::TensorType_BOOL);
  model.op(kGreater, {a, b}, {condition});
  const int32_t y = model.tensor("y", {2});
  call(model, kIf, {condition, x}, {y}, 1, 2);
  model.output(y);
  model.subgraph(twice(kMul));
  model.subgraph(twice(kAdd));
  EXPECT_THAT(run_tflite_floats(model, {pair(5, 3)}), ElementsAre(25, 9));
  const auto methods = import_model(model.bytes(), {});
  EXPECT_EQ(count_ops(methods[0].graph, Op::kWhere), 0u);
}

// While i < limit: i = i + 1, x = x + x. Both subgraphs hand on what they do not change.
TfliteBuilder counting(int32_t limit, bool limit_is_input = false) {
  TfliteBuilder model;
  const int32_t x = model.input("x", {2});
  const int32_t i = model.constant(int32_tensor({}, {0}));
  const int32_t end = limit_is_input ? model.input("end", {}, tfl::TensorType_INT32)
                                     : model.constant(int32_tensor({}, {limit}));
  const int32_t last = model.tensor("last", {}, tfl::TensorType_INT32);
  const int32_t same = model.tensor("same", {}, tfl::TensorType_INT32);
  const int32_t y = model.tensor("y", {2});
  call(model, kWhile, {i, end, x}, {last, same, y}, 1, 2);
  model.output(y);
  model.output(last);
  TfliteBuilder condition, body;
  const int32_t ci = condition.input("i", {}, tfl::TensorType_INT32);
  const int32_t cend = condition.input("end", {}, tfl::TensorType_INT32);
  condition.input("x", {2});
  condition.output(binary(condition, kLess, ci, cend, {}, tfl::TensorType_BOOL));
  const int32_t bi = body.input("i", {}, tfl::TensorType_INT32);
  const int32_t bend = body.input("end", {}, tfl::TensorType_INT32);
  const int32_t bx = body.input("x", {2});
  const int32_t one = body.constant(int32_tensor({}, {1}));
  body.output(binary(body, kAdd, bi, one, {}, tfl::TensorType_INT32));
  body.output(bend);
  body.output(binary(body, kAdd, bx, bx, {2}));
  model.subgraph(std::move(condition));
  model.subgraph(std::move(body));
  return model;
}

TEST(TfliteControlFlow, ALoopIsUnrolled) {
  const std::vector<TensorData> made = run_tflite(counting(5), {pair(1, 3)});
  EXPECT_THAT(floats_of(made[0].bytes), ElementsAre(32, 96));
  EXPECT_THAT(integers_of(made[1]), ElementsAre(5));
  EXPECT_THAT(run_tflite_floats(counting(0), {pair(1, 3)}), ElementsAre(1, 3));
}

TEST(TfliteControlFlow, RunsDecideHowManyTripsALoopMakes) {
  ImportOptions options;
  options.max_trips["WHILE_0"] = 4;
  for (const int32_t end : {-3, 0, 1, 4}) {
    const auto made = run_tflite(counting(0, true), {pair(1, 3), int32_tensor({}, {end})}, options);
    const float scale = end > 0 ? static_cast<float>(1 << end) : 1.0f;
    EXPECT_THAT(floats_of(made[0].bytes), ElementsAre(scale, 3 * scale)) << end;
    EXPECT_THAT(integers_of(made[1]), ElementsAre(std::max(end, 0))) << end;
  }
}

TEST(TfliteControlFlow, BoundsThatNothingSaysAreRefused) {
  EXPECT_THAT(tflite_error(counting(0, true)),
              AllOf(HasSubstr("(WHILE): its condition is computed at run time"),
                    HasSubstr("--max-trips WHILE_0=N"), HasSubstr("--fix end=")));
}

TEST(TfliteControlFlow, RunsChooseABranch) {
  TfliteBuilder model;
  const int32_t x = model.input("x", {2});
  const int32_t condition = model.input("c", {1}, tfl::TensorType_BOOL);
  const int32_t y = model.tensor("y", {2});
  call(model, kIf, {condition, x}, {y}, 1, 2);
  model.output(y);
  model.subgraph(twice(kMul));
  model.subgraph(twice(kAdd));
  for (const bool then : {true, false}) {
    const auto made = run_tflite(model, {pair(5, 3), one_bool(then)});
    EXPECT_THAT(floats_of(made[0].bytes), then ? ElementsAre(25, 9) : ElementsAre(10, 6));
  }
}

TEST(TfliteControlFlow, EndlessLoopsAreRefused) {
  EXPECT_THAT(tflite_error(counting(2000000000)),
              HasSubstr("have more than 20000 operators in all"));
}

TEST(TfliteControlFlow, SubgraphsThatDoNotMatchAreRefused) {
  TfliteBuilder model;
  const int32_t x = model.input("x", {2});
  const int32_t y = model.tensor("y", {2});
  call(model, kCall, {x, x}, {y}, 1, 0);
  model.output(y);
  model.subgraph(twice(kMul));
  EXPECT_THAT(tflite_error(model), HasSubstr("subgraph 1 has 1 inputs, expected 2"));
  TfliteBuilder none;
  const int32_t a = none.input("x", {2}), b = none.tensor("y", {2});
  call(none, kCall, {a}, {b}, 9, 0);
  none.output(b);
  EXPECT_THAT(tflite_error(none), HasSubstr("(CALL): names subgraph 9 of 1"));
  TfliteBuilder itself;
  const int32_t c = itself.input("x", {2}), d = itself.tensor("y", {2});
  call(itself, kCall, {c}, {d}, 0, 0);
  itself.output(d);
  EXPECT_THAT(tflite_error(itself), HasSubstr("calls subgraph 0, in which it is called itself"));
}

// What comes behind a call that is refused is looked at all the same.
TEST(TfliteControlFlow, AnObstacleInsideIsThatOfTheCall) {
  TfliteBuilder model;
  const int32_t x = model.input("x", {2});
  const int32_t y = model.tensor("y", {2}), z = model.tensor("z", {2});
  call(model, kCall, {x}, {y}, 1, 0);
  constexpr int32_t kScatterNd = 122;
  model.op(kScatterNd, {x}, {z});
  model.output(y);
  model.output(z);
  TfliteBuilder inner;
  const int32_t a = inner.input("x", {2}), b = inner.tensor("b", {2});
  inner.op(kScatterNd, {a}, {b});
  inner.output(b);
  model.subgraph(std::move(inner));
  try {
    static_cast<void>(import_model(model.bytes(), {}));
    ADD_FAILURE();
  } catch (const ObstaclesError& error) {
    ASSERT_THAT(error.obstacles, SizeIs(2));
    EXPECT_THAT(error.obstacles[0].why, HasSubstr("subgraph 1, operator 0 (SCATTER_ND)"));
  }
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
