// Tests Loop and Scan: their bodies become part of the graph, once for each trip that there may be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "planner/graph/obstacles.h"
#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;
using testing::Pointwise;

std::string refusal(const ModelBuilder& model) {
  try {
    static_cast<void>(import_onnx(model.bytes(), {}));
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

std::vector<int64_t> int64s_of(const std::vector<std::byte>& bytes) {
  std::vector<int64_t> numbers(bytes.size() / sizeof(int64_t));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

TensorData int64_scalar(int64_t number) { return int64_tensor({}, {number}); }

// next = before * 2 + stored + x of outside; square = next * next.
void add_body(ModelBuilder& model) {
  ModelBuilder body(13);
  body.input("trip", {}, DType::kInt64).input("go", {}, DType::kBool).input("before", {"2"});
  body.initializer("stored", float_tensor({2}, {1, 2})).initializer("two", float_tensor({}, {2}));
  body.node("Mul", {"before", "two"}, {"twice"}).node("Add", {"twice", "stored"}, {"sum"});
  body.node("Add", {"sum", "x"}, {"next"}).node("Mul", {"next", "next"}, {"square"});
  body.node("Identity", {"go"}, {"goes_on"});
  body.output("goes_on", DType::kBool).output("next").output("square");
  model.with_graph("body", body);
}

ModelBuilder& looped(ModelBuilder& model, const TensorData& count, bool go = true) {
  model.input("x", {"2"}).initializer("M", count).initializer("go", bool_tensor({}, {go}));
  model.initializer("start", float_tensor({2}, {0, 1}));
  model.node("Loop", {"M", "go", "start"}, {"last", "squares"}, "loop");
  add_body(model);
  return model.output("last").output("squares");
}

TEST(Unroll, ALoopOfAConstantCount) {
  ModelBuilder model(13);
  const auto made = run_model(looped(model, int64_scalar(3)), {float_tensor({2}, {1, 0})});
  // 0 -> 2 -> 6 -> 14; 1 -> 4 -> 10 -> 22.
  EXPECT_THAT(floats_of(made[0].bytes), ElementsAre(14, 22));
  EXPECT_THAT(made[1].dims, ElementsAre(3u, 2u));
  EXPECT_THAT(floats_of(made[1].bytes), ElementsAre(4, 16, 36, 100, 196, 484));
}

TEST(Unroll, ALoopThatDoesNotBegin) {
  for (const bool go : {true, false}) {
    ModelBuilder model(13), body(13);
    model.input("x", {"2"}).initializer("M", int64_scalar(go ? 0 : 5));
    model.initializer("go", bool_tensor({}, {go}));
    model.node("Loop", {"M", "go", "x"}, {"y"}, "loop");
    add_body(model);
    EXPECT_THAT(run_floats(model.output("y"), {float_tensor({2}, {1, 5})}), ElementsAre(1, 5));
  }
  ModelBuilder stacked(13);
  EXPECT_THAT(refusal(looped(stacked, int64_scalar(0))),
              HasSubstr("it makes no trip, and output 1"));
}

// While a counter that is carried is below 4, without a count.
TEST(Unroll, AConditionThatFollowsFromConstants) {
  ModelBuilder model(13), body(13);
  body.input("trip", {}, DType::kInt64).input("go", {}, DType::kBool);
  body.input("counter", {}, DType::kInt64).input("before", {"2"});
  body.initializer("one", int64_scalar(1)).initializer("four", int64_scalar(4));
  body.node("Add", {"counter", "one"}, {"counted"}).node("Less", {"counted", "four"}, {"less"});
  body.node("Add", {"before", "before"}, {"next"});
  body.output("less", DType::kBool).output("counted", DType::kInt64).output("next");
  model.input("x", {"2"})
      .initializer("zero", int64_scalar(0))
      .initializer("go", bool_tensor({1}, {true}));
  model.node("Loop", {"", "go", "zero", "x"}, {"", "y"}, "loop").with_graph("body", body);
  EXPECT_THAT(run_floats(model.output("y"), {float_tensor({2}, {1, 3})}), ElementsAre(16, 48));
}

TEST(Unroll, LoopsNestAndUseTheTripsNumber) {
  ModelBuilder model(13), outer(13), inner(13);
  // 10 * outer trip + inner trip.
  inner.input("j", {}, DType::kInt64).input("inner_go", {}, DType::kBool).input("sum", {"1"});
  inner.initializer("ten", int64_scalar(10)).node("Mul", {"i", "ten"}, {"tens"});
  inner.node("Add", {"tens", "j"}, {"both"}).node("Cast", {"both"}, {"number"}).with("to", 1);
  inner.node("Mul", {"number", "x"}, {"scaled"}).node("Add", {"sum", "scaled"}, {"added"});
  inner.output("inner_go", DType::kBool).output("added");
  outer.input("i", {}, DType::kInt64).input("outer_go", {}, DType::kBool).input("all", {"1"});
  outer.initializer("M", int64_scalar(2));
  outer.node("Loop", {"M", "outer_go", "all"}, {"more"}, "inner").with_graph("body", inner);
  outer.output("outer_go", DType::kBool).output("more");
  model.input("x", {"1"})
      .initializer("N", int64_scalar(3))
      .initializer("zero", float_tensor({1}, {0}));
  model.node("Loop", {"N", "", "zero"}, {"y"}, "outer").with_graph("body", outer);
  // 0 + 1 + 10 + 11 + 20 + 21
  EXPECT_THAT(run_floats(model.output("y"), {float_tensor({1}, {2})}), ElementsAre(126));
}

// h = tanh(W x + R h), over 5 elements of 3, in both directions; all h are stacked.
TEST(Unroll, AScanIsARecurrentNet) {
  constexpr size_t kSteps = 5, kIn = 3, kUnits = 2;
  for (const bool back : {false, true}) {
    for (const int64_t opset : {int64_t{11}, int64_t{17}}) {
      ModelBuilder model(opset), body(opset);
      const TensorData w = random_tensor({kIn, kUnits}, 1), r = random_tensor({kUnits, kUnits}, 2);
      body.input("h", {"1", "2"}).input("xt", {"1", "3"});
      body.initializer("W", w).initializer("R", r);
      body.node("MatMul", {"xt", "W"}, {"wx"}).node("MatMul", {"h", "R"}, {"rh"});
      body.node("Add", {"wx", "rh"}, {"sum"}).node("Tanh", {"sum"}, {"next"});
      body.node("Identity", {"next"}, {"shown"}).output("next").output("shown");
      model.input("x", {"1", "5", "3"}).initializer("zero", float_tensor({1, kUnits}, {0, 0}));
      model.node("Scan", {"zero", "x"}, {"last", "all"}, "scan").with_graph("body", body);
      model.with("num_scan_inputs", 1).with_ints("scan_input_axes", {1});
      model.with_ints("scan_output_axes", {-2}).with_ints("scan_input_directions", {back});
      model.with_ints("scan_output_directions", {back});
      const TensorData x = random_tensor({1, kSteps, kIn}, 3);
      const auto made = run_model(model.output("last").output("all"), {x});
      const std::vector<float> in = floats_of(x.bytes), fw = floats_of(w.bytes),
                               fr = floats_of(r.bytes);
      std::vector<float> h(kUnits), all(kSteps * kUnits);
      for (size_t step = 0; step < kSteps; ++step) {
        const size_t t = back ? kSteps - 1 - step : step;
        std::vector<float> next(kUnits);
        for (size_t u = 0; u < kUnits; ++u) {
          float sum = 0;
          for (size_t i = 0; i < kIn; ++i) sum += in[t * kIn + i] * fw[i * kUnits + u];
          for (size_t k = 0; k < kUnits; ++k) sum += h[k] * fr[k * kUnits + u];
          next[u] = all[t * kUnits + u] = std::tanh(sum);
        }
        h = next;
      }
      EXPECT_THAT(floats_of(made[0].bytes), Pointwise(FloatNear(1e-5f), h));
      EXPECT_THAT(made[1].dims, ElementsAre(1u, kSteps, kUnits));
      EXPECT_THAT(floats_of(made[1].bytes), Pointwise(FloatNear(1e-5f), all));
    }
  }
}

// Of opset 8: sums of a batch of two, whose second input goes back.
TEST(Unroll, AScanOverABatch) {
  for (const bool has_lengths : {false, true}) {
    ModelBuilder model(8), body(8);
    body.input("sum", {"1"}).input("a", {"1"}).input("b", {"1"});
    body.node("Add", {"sum", "a"}, {"first"}).node("Add", {"first", "b"}, {"next"});
    body.node("Identity", {"next"}, {"shown"}).output("next").output("shown");
    model.input("start", {"2", "1"}).input("x", {"2", "3", "1"}).input("y", {"2", "3", "1"});
    model.initializer("lengths", int64_tensor({2}, {3, 3}));
    model.node("Scan", {has_lengths ? "lengths" : "", "start", "x", "y"}, {"last", "all"}, "scan");
    model.with_graph("body", body).with("num_scan_inputs", 2).with_ints("directions", {0, 1});
    const auto made =
        run_model(model.output("last").output("all"),
                  {float_tensor({2, 1}, {0, 1}), float_tensor({2, 3, 1}, {1, 2, 3, 4, 5, 6}),
                   float_tensor({2, 3, 1}, {10, 20, 30, 40, 50, 60})});
    EXPECT_THAT(made[0].dims, ElementsAre(2u, 1u));
    EXPECT_THAT(floats_of(made[0].bytes), ElementsAre(66, 166));
    EXPECT_THAT(made[1].dims, ElementsAre(2u, 3u, 1u));
    EXPECT_THAT(floats_of(made[1].bytes), ElementsAre(31, 53, 66, 65, 120, 166));
  }
}

TEST(Unroll, AScanOverShorterSequencesIsRefused) {
  ModelBuilder model(8), body(8);
  body.input("a", {"1"}).node("Neg", {"a"}, {"b"}).output("b");
  model.input("x", {"2", "3", "1"}).initializer("lengths", int64_tensor({2}, {3, 2}));
  model.node("Scan", {"lengths", "x"}, {"y"}, "scan").with_graph("body", body);
  EXPECT_THAT(refusal(model.with("num_scan_inputs", 1).output("y")),
              HasSubstr("sequences shorter than their dim are not supported"));
}

TEST(Unroll, WhatIsStoredIsStoredOnce) {
  ModelBuilder model(13);
  const Graph graph = import_onnx(looped(model, int64_scalar(20)).bytes(), {});
  size_t stored = 0;
  for (const Value& value : graph.values) {
    if (value.name.starts_with("stored")) ++stored;
  }
  EXPECT_EQ(stored, 1u);
}

// y doubles as often as the run says.
ModelBuilder& counted_by_the_run(ModelBuilder& model, const char* condition = "") {
  model.input("x", {"2"}).input("M", {}, DType::kInt64);
  model.node("Loop", {"M", condition, "x"}, {"y"}, "loop");
  add_body(model);
  return model.output("y");
}

TEST(Unroll, RunsMayDecideHowManyTripsThereAre) {
  ModelBuilder model(13);
  ImportOptions options;
  options.max_trips["loop"] = 5;
  counted_by_the_run(model);
  for (const int64_t trips : {-1, 0, 1, 4, 5}) {
    float a = 1, b = 5;
    for (int64_t trip = 0; trip < trips; ++trip) {
      a = 2 * a + 1 + 1;
      b = 2 * b + 2 + 5;
    }
    const auto made = run_model(model, {float_tensor({2}, {1, 5}), int64_scalar(trips)}, options);
    EXPECT_THAT(floats_of(made[0].bytes), ElementsAre(a, b)) << trips;
  }
}

// Doubles while it is below 4, nine times at most; x decides.
TEST(Unroll, RunsMayDecideWhenALoopEnds) {
  ModelBuilder model(13), body(13);
  body.input("trip", {}, DType::kInt64).input("go", {}, DType::kBool).input("before", {"1"});
  body.initializer("limit", float_tensor({1}, {4})).node("Add", {"before", "before"}, {"next"});
  body.node("Less", {"next", "limit"}, {"less"}).output("less", DType::kBool).output("next");
  model.input("x", {"1"}).initializer("M", int64_scalar(9));
  model.node("Loop", {"M", "", "x"}, {"y"}, "loop").with_graph("body", body).output("y");
  for (const float x : {5.0f, 1.0f, 0.125f, 0.001f}) {
    float y = x;
    for (int trip = 0; trip < 9 && (trip == 0 || y < 4); ++trip) y += y;
    EXPECT_THAT(run_floats(model, {float_tensor({1}, {x})}), ElementsAre(y)) << x;
  }
}

TEST(Unroll, BoundsThatNothingSaysAreRefused) {
  ModelBuilder count(13);
  counted_by_the_run(count);
  EXPECT_THAT(
      refusal(count),
      AllOf(HasSubstr("'loop' (op 'Loop'): 'M' decides at run time how many trips it makes"),
            HasSubstr("--max-trips loop=N"), HasSubstr("--fix M=")));
  ModelBuilder stacks(13);
  counted_by_the_run(stacks);
  ImportOptions options;
  options.max_trips["look"] = 5;
  options.max_trips["loop"] = 5;
  EXPECT_THAT(import_error(stacks, options),
              HasSubstr("--max-trips names 'look', but each run decides the trips of loop; did you "
                        "mean 'loop'?"));
  ModelBuilder known(13);
  EXPECT_THAT(import_error(looped(known, int64_scalar(3)), options), HasSubstr("of no loop"));
}

TEST(Unroll, RunsMayDecideHowLongAnOutputIs) {
  ModelBuilder model(13);
  model.input("x", {"2"})
      .input("M", {}, DType::kInt64)
      .initializer("start", float_tensor({2}, {0, 1}));
  model.node("Loop", {"M", "", "start"}, {"last", "squares"}, "loop");
  add_body(model);
  ImportOptions options;
  options.max_trips["loop"] = 4;
  model.output("last").output("squares");
  const std::vector<float> squares = {4, 16, 36, 100, 196, 484, 900, 2116};
  for (const int64_t trips : {0, 1, 3, 4}) {
    const auto made = run_model(model, {float_tensor({2}, {1, 0}), int64_scalar(trips)}, options);
    ASSERT_EQ(made.size(), 3u);
    EXPECT_THAT(made[1].dims, ElementsAre(4u, 2u));
    EXPECT_EQ(int64s_of(made[2].bytes), std::vector<int64_t>{trips});
    std::vector<float> found = floats_of(made[1].bytes);
    found.resize(static_cast<size_t>(2 * trips));
    EXPECT_EQ(found, std::vector<float>(squares.begin(), squares.begin() + 2 * trips));
  }
}

// What ends such a loop at run time is the count itself, where nothing is handed on.
TEST(Unroll, OutputsOfTooManyTripsCannotBeHad) {
  ModelBuilder model(13), body(13);
  body.input("trip", {}, DType::kInt64).input("go", {}, DType::kBool);
  body.node("Add", {"trip", "trip"}, {"twice"}).node("Identity", {"go"}, {"goes_on"});
  body.output("goes_on", DType::kBool).output("twice", DType::kInt64);
  model.input("M", {}, DType::kInt64);
  model.node("Loop", {"M", ""}, {"y"}, "loop").with_graph("body", body);
  model.output("y", DType::kInt64);
  ImportOptions options;
  options.max_trips["loop"] = 3;
  const auto made = run_model(model, {int64_scalar(2)}, options);
  EXPECT_EQ(int64s_of(made[1].bytes), std::vector<int64_t>{2});
  EXPECT_ANY_THROW(static_cast<void>(run_model(model, {int64_scalar(4)}, options)));
}

TEST(Unroll, EndlessAndHugeLoopsAreRefused) {
  ModelBuilder huge(13);
  EXPECT_THAT(refusal(looped(huge, int64_scalar(int64_t{1} << 60))),
              HasSubstr("its trips have more than 20000 nodes in all"));
  ModelBuilder endless(13);
  endless.input("x", {"2"}).node("Loop", {"", "", "x"}, {"y"}, "loop");
  add_body(endless);
  EXPECT_THAT(refusal(endless.output("y")), HasSubstr("has neither a trip count nor a condition"));
}

TEST(Unroll, BodiesThatDoNotMatchAreRefused) {
  ModelBuilder more(13);
  more.input("x", {"2"}).initializer("M", int64_scalar(2));
  more.node("Loop", {"M", "", "x", "x"}, {"y"}, "loop");
  add_body(more);
  EXPECT_THAT(refusal(more.output("y")),
              HasSubstr("its body has 3 inputs and 3 outputs, expected 4 and at least 3"));
  ModelBuilder none(13);
  none.input("x", {"2"}).initializer("M", int64_scalar(2));
  none.node("Loop", {"M", "", "x"}, {"y"}, "loop").output("y");
  EXPECT_THAT(refusal(none), HasSubstr("a body is missing"));
  ModelBuilder scan(13), body(13);
  body.input("a", {"2"}).node("Neg", {"a"}, {"b"}).output("b");
  scan.input("x", {"3", "2"}).node("Scan", {"x"}, {"y"}, "scan").with_graph("body", body);
  EXPECT_THAT(refusal(scan.with("num_scan_inputs", 2).output("y")),
              HasSubstr("attribute 'num_scan_inputs': is 2 of 1 inputs"));
}

// An operator that is refused inside is one obstacle, not one a trip.
TEST(Unroll, AnObstacleInsideIsSaidOnce) {
  ModelBuilder model(13), body(13);
  body.input("trip", {}, DType::kInt64).input("go", {}, DType::kBool).input("before", {"2"});
  body.node("Multinomial", {"before"}, {"next"}, "inside")
      .output("go", DType::kBool)
      .output("next");
  model.input("x", {"2"}).initializer("M", int64_scalar(7));
  model.node("Loop", {"M", "", "x"}, {"y"}, "loop").with_graph("body", body).output("y");
  try {
    static_cast<void>(import_onnx(model.bytes(), {}));
    ADD_FAILURE();
  } catch (const ObstaclesError& error) {
    ASSERT_EQ(error.obstacles.size(), 1u);
    EXPECT_EQ(error.obstacles[0].op, "Multinomial");
  }
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
