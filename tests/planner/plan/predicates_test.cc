// Programs leave out what a run does not choose, and give what both sides of a choice would.
#include "core/predicate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <set>
#include <string>

#include "planner/plan.h"
#include "planner/program/inspect.h"
#include "tests/planner/model/model_builder.h"
#include "tests/planner/plan/run_program.h"
#include "tests/planner/plan/vulkan_run.h"

namespace arenite::test {
namespace {

using planner::bool_tensor;
using planner::float_tensor;
using planner::int64_tensor;
using planner::ModelBuilder;
using planner::PlanOptions;
using planner::random_tensor;
using testing::HasSubstr;
using Inputs = std::vector<std::vector<std::byte>>;

// What the board says of cutting a device's commands; no number: what boards have that say nothing.
struct Cuts {
  std::optional<double> cut_ps, wait_ps;
};
constexpr Cuts kAlways = {0, 0};

std::vector<std::byte> planned(const ModelBuilder& model, const char* board = "host",
                               const planner::ImportOptions& import = {}, const Cuts& cuts = {}) {
  planner::ModelFile file;
  file.method = "main";
  file.bytes = model.bytes();
  file.import = import;
  PlanOptions options;
  options.boards = {planner::find_board(board)};
  planner::StepCosts& costs = options.boards[0].costs;
  costs.cut_ps = cuts.cut_ps.value_or(costs.cut_ps);
  costs.wait_ps = cuts.wait_ps.value_or(costs.wait_ps);
  return planner::plan_models({file}, options).program;
}

// y = c ? relu(x w) w2 : x w3, each side with names of its own.
void add_choice(ModelBuilder& model) {
  ModelBuilder then(13), other(13);
  then.initializer("w", random_tensor({8, 16}, 1)).initializer("w2", random_tensor({16, 8}, 2));
  then.node("MatMul", {"x", "w"}, {"a"}, "first").node("Relu", {"a"}, {"b"}, "relu");
  then.node("MatMul", {"b", "w2"}, {"r"}, "second").output("r");
  other.initializer("w3", random_tensor({8, 8}, 3));
  other.node("MatMul", {"x", "w3"}, {"r"}, "third").output("r");
  model.input("x", {"4", "8"}).input("c", {"1"}, DType::kBool).node("If", {"c"}, {"y"}, "if");
  model.with_graph("then_branch", then).with_graph("else_branch", other).output("y");
}

Inputs inputs_of(bool condition) {
  return {random_tensor({4, 8}, 4).bytes, bool_tensor({1}, {condition}).bytes};
}

// The model's nodes that a step of the last variant carries out on a condition.
std::set<std::string> conditional(const std::vector<std::byte>& program, bool holds) {
  const planner::ProgramInfo info = planner::inspect(program);
  std::set<std::string> nodes;
  for (const auto& step : info.methods[0].variants.back().steps) {
    for (const auto& condition : step.conditions) {
      if (condition.holds == holds) nodes.insert(step.nodes.begin(), step.nodes.end());
    }
  }
  return nodes;
}

TEST(Predicates, EachSideOfAChoiceRunsWhereItIsChosen) {
  ModelBuilder model(13);
  add_choice(model);
  for (const char* board : {"host", "mps2-an386"}) {
    const auto program = planned(model, board);
    EXPECT_EQ(conditional(program, true), (std::set<std::string>{"first", "relu", "second"}));
    EXPECT_EQ(conditional(program, false), (std::set<std::string>{"third"}));
  }
}

// Values that are not chosen hold poison when the choice is made.
TEST(Predicates, AChoiceGivesWhatEachSideAloneGives) {
  VulkanRun vulkan;
  ASSERT_TRUE(vulkan.ready());
  ModelBuilder model(13);
  add_choice(model);
  const OpenProgram program(planned(model));
  for (const bool condition : {true, false}) {
    planner::ImportOptions fixed;
    fixed.bound["c"] = {{1}, bool_tensor({1}, {condition}).bytes};
    const OpenProgram one(planned(model, "host", fixed));
    EXPECT_TRUE(one->predicates().empty());
    RunRequest last;
    last.variant = one->methods()[0].variant_count - 1;
    const Inputs inputs = inputs_of(condition);
    const auto expected = run(*one, last, std::span(inputs).first(1));
    last.variant = program->methods()[0].variant_count - 1;
    EXPECT_EQ(run(*program, last, inputs), expected);
    EXPECT_EQ(vulkan.run(*program, 0, 0, inputs),
              vulkan.run(*one, 0, 0, std::span(inputs).first(1)));
  }
  EXPECT_EQ(vulkan.validation_messages(), 0u);
}

// What a device was given in a run, and in how many submissions.
struct Submitted {
  uint32_t submissions, dispatches;
  bool operator==(const Submitted&) const = default;
};

Submitted submitted(const VulkanRun& vulkan) {
  return {vulkan.counters().submissions, vulkan.counters().dispatches_run};
}

TEST(Predicates, ADeviceLeavesOutTheSideThatIsNotChosen) {
  VulkanRun vulkan;
  ASSERT_TRUE(vulkan.ready());
  ModelBuilder model(13);
  add_choice(model);
  // Small as it is, it does not pay.
  const OpenProgram whole(planned(model)), cut(planned(model, "host", {}, kAlways));
  for (const bool condition : {true, false}) {
    const auto inputs = inputs_of(condition);
    const auto expected = vulkan.run(*whole, 0, 0, inputs);
    const uint32_t all = vulkan.counters().dispatches_recorded;
    EXPECT_EQ(submitted(vulkan), (Submitted{1, all}));
    EXPECT_EQ(vulkan.run(*cut, 0, 0, inputs), expected);
    EXPECT_EQ(vulkan.counters().dispatches_recorded, all);
    // The CPU has the condition: there is nothing to wait for.
    EXPECT_EQ(submitted(vulkan), (Submitted{1, all - (condition ? 1 : 2)}));
  }
  EXPECT_EQ(vulkan.validation_messages(), 0u);
}

// Doubles x until its sum is above 20, at most so many times.
void add_doubling(ModelBuilder& model) {
  ModelBuilder body(13);
  body.input("trip", {}, DType::kInt64).input("go", {}, DType::kBool).input("before", {"3"});
  body.node("Add", {"before", "before"}, {"next"}, "double");
  body.node("ReduceSum", {"next"}, {"sum"}, "sum").with("keepdims", 0);
  body.node("Less", {"sum", "most"}, {"go_on"}, "compare");
  body.output("go_on", DType::kBool).output("next");
  model.initializer("most", float_tensor({}, {20}));
  model.initializer("yes", bool_tensor({}, {true}));
  model.input("x", {"3"}).node("Loop", {"", "yes", "x"}, {"y"}, "loop");
  model.with_graph("body", body).output("y");
}

TEST(Predicates, ADeviceStopsALoopEarly) {
  VulkanRun vulkan;
  ASSERT_TRUE(vulkan.ready());
  planner::ImportOptions bounded;
  bounded.max_trips["loop"] = 16;
  ModelBuilder model(13);
  add_doubling(model);
  const OpenProgram whole(planned(model, "host", bounded));
  const OpenProgram cut(planned(model, "host", bounded, kAlways));
  for (const auto& [first, trips] : {std::pair{20.0f, 1u}, {2.0f, 2u}, {0.001f, 13u}}) {
    SCOPED_TRACE(trips);
    const Inputs inputs = {float_tensor({3}, {first, first, first}).bytes};
    const auto expected = vulkan.run(*whole, 0, 0, inputs);
    const uint32_t all = vulkan.counters().dispatches_recorded;
    // The CPU looks at the end whether another trip would follow.
    EXPECT_EQ(submitted(vulkan), (Submitted{2, all}));
    EXPECT_EQ(planner::floats_of(expected[0])[0], first * static_cast<float>(1 << trips));
    EXPECT_EQ(vulkan.run(*cut, 0, 0, inputs), expected);
    // Three dispatches of each trip that is not made; the trips made are waited for, and of the
    // others one in so many that a step may have conditions.
    EXPECT_EQ(vulkan.counters().dispatches_run, all - 3 * (16 - trips));
    EXPECT_LE(vulkan.counters().submissions, trips + (16 - trips) / 8 + 3);
  }
  EXPECT_EQ(vulkan.validation_messages(), 0u);
}

// y = x + x, M times; the run decides M.
void add_loop(ModelBuilder& model) {
  ModelBuilder body(13);
  body.input("trip", {}, DType::kInt64).input("go", {}, DType::kBool).input("before", {"3"});
  body.node("Add", {"before", "before"}, {"next"}, "double");
  body.output("go", DType::kBool).output("next");
  model.input("x", {"3"}).input("M", {}, DType::kInt64).node("Loop", {"M", "", "x"}, {"y"}, "loop");
  model.with_graph("body", body).output("y");
}

// By which conditions the steps of the first variant run, and how many of these begin a stretch.
struct Cut {
  std::set<uint32_t> conditions;
  size_t begins = 0, guarded_doubles = 0;
};

Cut cut_of(const std::vector<std::byte>& program) {
  const planner::ProgramInfo info = planner::inspect(program);
  Cut cut;
  for (const auto& step : info.methods[0].variants.front().steps) {
    if (step.where == "cpu") continue;
    for (const auto& condition : step.conditions) cut.conditions.insert(condition.value);
    cut.begins += step.begins_stretch ? 1u : 0u;
    const bool doubles = step.nodes == std::vector<std::string>{"double"};
    cut.guarded_doubles += doubles && !step.conditions.empty() ? 1u : 0u;
  }
  return cut;
}

TEST(Predicates, OnlyConditionsThatPayAreReadFromADevice) {
  planner::ImportOptions bounded;
  bounded.max_trips["loop"] = 16;
  ModelBuilder model(13);
  add_doubling(model);
  const auto cut = [&](const Cuts& cuts) { return cut_of(planned(model, "host", bounded, cuts)); };
  EXPECT_EQ(cut(kAlways).conditions.size(), 15u);
  EXPECT_EQ(cut(kAlways).guarded_doubles, 15u);
  // Half of the three steps of three trips costs more than the wait, half of those of two less: the
  // last two trips are left out by the condition of the one before.
  const Cut some = cut({0, 1.2e7});
  EXPECT_EQ(some.conditions.size(), 13u);
  EXPECT_EQ(some.guarded_doubles, 15u);
  for (const Cuts& never : {Cuts{0, 1e15}, Cuts{1e15, 0}}) {
    EXPECT_TRUE(cut(never).conditions.empty());
    EXPECT_EQ(cut(never).begins, 0u);
  }
}

TEST(Predicates, TripsThatTheCallerCountsAreNotWaitedFor) {
  VulkanRun vulkan;
  ASSERT_TRUE(vulkan.ready());
  ModelBuilder model(13);
  add_loop(model);
  planner::ImportOptions bounded;
  bounded.max_trips["loop"] = 6;
  const OpenProgram program(planned(model, "host", bounded, kAlways));
  for (const int64_t trips : {0, 2, 6}) {
    const Inputs inputs = {float_tensor({3}, {1, 2, 3}).bytes, int64_tensor({}, {trips}).bytes};
    const auto outputs = vulkan.run(*program, 0, 0, inputs);
    EXPECT_EQ(planner::floats_of(outputs[0])[0], static_cast<float>(1 << trips));
    const auto left_out = static_cast<uint32_t>(6 - trips);
    // And another behind the CPU's look at whether there would be more.
    EXPECT_EQ(submitted(vulkan), (Submitted{2, vulkan.counters().dispatches_recorded - left_out}));
  }
  EXPECT_EQ(vulkan.validation_messages(), 0u);
}

// c chooses between an element that there is and one that there is not.
void add_pick(ModelBuilder& model) {
  ModelBuilder then(13), other(13);
  then.node("Gather", {"x", "i"}, {"r"}, "pick").output("r");
  other.node("ReduceSum", {"x"}, {"r"}, "sum").with("keepdims", 0).output("r");
  model.input("x", {"4"}).input("i", {}, DType::kInt64).input("c", {}, DType::kBool);
  model.node("If", {"c"}, {"y"}, "if").with_graph("then_branch", then);
  model.with_graph("else_branch", other).output("y");
}

Inputs pick(int64_t index, bool condition) {
  return {float_tensor({4}, {1, 2, 3, 4}).bytes, int64_tensor({}, {index}).bytes,
          bool_tensor({}, {condition}).bytes};
}

// An index that lies outside stops the runs that need what it picks, on either machine.
TEST(Predicates, WhatIsLeftOutDoesNotFail) {
  VulkanRun vulkan;
  ASSERT_TRUE(vulkan.ready());
  ModelBuilder model(13);
  add_pick(model);
  const OpenProgram program(planned(model));
  RunRequest last;
  last.variant = program->methods()[0].variant_count - 1;
  const auto floats = [](const Inputs& outputs) {
    return outputs.empty() ? std::vector<float>{} : planner::floats_of(outputs[0]);
  };
  for (const int64_t index : {2, 9}) {
    EXPECT_EQ(floats(run(*program, last, pick(index, false))), std::vector<float>{10});
    EXPECT_EQ(floats(vulkan.run(*program, 0, 0, pick(index, false))), std::vector<float>{10});
  }
  EXPECT_EQ(floats(run(*program, last, pick(2, true))), std::vector<float>{3});
  last.run_code = Code::kIndexOutOfRange;
  run(*program, last, pick(9, true));
  EXPECT_EQ(floats(vulkan.run(*program, 0, 0, pick(2, true))), std::vector<float>{3});
}

TEST(Predicates, TripsThatARunDoesNotMakeAreLeftOut) {
  ModelBuilder model(13);
  add_loop(model);
  planner::ImportOptions bounded;
  bounded.max_trips["loop"] = 6;
  const auto bytes = planned(model, "host", bounded);
  const planner::ProgramInfo info = planner::inspect(bytes);
  size_t doubles = 0;
  for (const auto& step : info.methods[0].variants.back().steps) {
    if (step.nodes != std::vector<std::string>{"double"}) continue;
    ++doubles;
    EXPECT_EQ(step.conditions.size(), 1u);
  }
  EXPECT_EQ(doubles, 6u);
  const OpenProgram program(bytes);
  RunRequest last;
  last.variant = program->methods()[0].variant_count - 1;
  VulkanRun vulkan;
  ASSERT_TRUE(vulkan.ready());
  for (const int64_t trips : {0, 1, 5, 6}) {
    const Inputs inputs = {float_tensor({3}, {1, 2, 3}).bytes, int64_tensor({}, {trips}).bytes};
    const auto scale = static_cast<float>(1 << trips);
    const std::vector<float> expected = {scale, 2 * scale, 3 * scale};
    EXPECT_EQ(planner::floats_of(run(*program, last, inputs)[0]), expected);
    EXPECT_EQ(planner::floats_of(vulkan.run(*program, 0, 0, inputs)[0]), expected);
  }
  // One trip more than the plan has: no result, rather than a wrong one.
  last.run_code = Code::kIndexOutOfRange;
  run(*program, last, {{float_tensor({3}, {1, 2, 3}).bytes, int64_tensor({}, {7}).bytes}});
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
