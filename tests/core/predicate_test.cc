// Predicates: steps that a run leaves out where a condition does not hold.
#include "core/predicate.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/core/program_builder.h"
#include "tests/core/test_forms.h"
#include "tests/core/test_machine.h"

namespace arenite::tests {
namespace {

using format::ArenaKind;
using format::kNegatedBit;
using format::PredicateRecord;

constexpr uint32_t kX = 0, kC = 1;  // values

// x [3] and a bool c; every step adds two of x and what steps before made:
//   0: a = x + x | 1: b = a + x | 2: view of b | 3: d = x + x | 4: y = x + x
planner::ProgramTables sums(const std::vector<PredicateRecord>& predicates) {
  ProgramBuilder builder;
  builder.method("m", 2, 1);
  builder.variant("board");
  builder.arena(ArenaKind::kHost, 112);
  const auto words = words_of(BinaryAttributes{});
  const auto add = [&](uint32_t first, uint32_t second, uint32_t to) {
    builder.step({.inputs = {first, second}, .outputs = {to}, .attributes = words});
  };
  EXPECT_EQ(builder.value({.dims = {3}, .offset = 0, .last_step = 4}), kX);
  EXPECT_EQ(
      builder.value({.dims = {1}, .offset = 96, .last_step = 4, .dtype = DType::kBool, .bytes = 1}),
      kC);
  const uint32_t a = builder.value({.dims = {3}, .offset = 16, .first_step = 0, .last_step = 4});
  const uint32_t b = builder.value({.dims = {3}, .offset = 32, .first_step = 1, .last_step = 4});
  const uint32_t view = builder.value({.dims = {1, 3},
                                       .kind = format::ValueKind::kView,
                                       .offset = 32,
                                       .first_step = 2,
                                       .last_step = 4,
                                       .root = b});
  const uint32_t d = builder.value({.dims = {3}, .offset = 48, .first_step = 3, .last_step = 4});
  const uint32_t y = builder.value({.dims = {3}, .offset = 64, .first_step = 4, .last_step = 4});
  add(kX, kX, a);
  add(a, kX, b);
  builder.step(
      {.op = Op::kReshape, .where = format::Where::kView, .inputs = {b}, .outputs = {view}});
  add(kX, kX, d);
  add(kX, kX, y);
  builder.io({kX, kC, y});
  planner::ProgramTables tables = builder.tables();
  tables.predicates = predicates;
  tables.required_features |= format::kPredicatesFeature;
  return tables;
}

class PredicateMachine : public Machine {
 public:
  explicit PredicateMachine(const planner::ProgramTables& tables)
      : Machine(planner::write_program(tables)) {
    EXPECT_TRUE(opened.ok());
    options.predicates = &kPredicates;
    platform.context = this;
    platform.profile = [](void* context, ProfileEvent event, uint32_t step) {
      if (event == ProfileEvent::kStepBegin) {
        static_cast<PredicateMachine*>(context)->ran_.push_back(step);
      }
    };
    options.platform = &platform;
  }

  // The steps that a run carries out, `at_once` of them in a call.
  std::vector<uint32_t> steps_of_run(bool condition, uint32_t at_once = kNoIndex) {
    ran_.clear();
    instance.input(kC)[0] = condition ? std::byte{1} : std::byte{0};
    for (;;) {
      const Result<RunState> state = instance.run_steps(at_once);
      EXPECT_TRUE(state.ok());
      if (!state.ok() || *state == RunState::kDone) return ran_;
    }
  }

 private:
  std::vector<uint32_t> ran_;
};

TEST(Predicates, StepsRunWhereTheirConditionHolds) {
  PredicateMachine machine(sums({{0, 0, 2, kC}, {0, 3, 1, kC | kNegatedBit}}));
  ASSERT_TRUE(machine.load().ok());
  using Steps = std::vector<uint32_t>;
  for (const uint32_t at_once : {kNoIndex, 1u, 2u}) {
    EXPECT_EQ(machine.steps_of_run(true, at_once), (Steps{0, 1, 4}));
    EXPECT_EQ(machine.steps_of_run(false, at_once), (Steps{3, 4}));
  }
}

TEST(Predicates, MayLieInEachOtherAndGoBeyond) {
  using Steps = std::vector<uint32_t>;
  // The last step too: nothing is left to run.
  PredicateMachine all(sums({{0, 0, 5, kC}}));
  ASSERT_TRUE(all.load().ok());
  EXPECT_EQ(all.steps_of_run(false), Steps{});
  EXPECT_EQ(all.steps_of_run(true), (Steps{0, 1, 3, 4}));
  // The second begins inside of the first, which is left out, and ends behind it.
  PredicateMachine across(sums({{0, 0, 2, kC}, {0, 1, 3, kC}}));
  ASSERT_TRUE(across.load().ok());
  EXPECT_EQ(across.steps_of_run(false), (Steps{4}));
  PredicateMachine against(sums({{0, 0, 4, kC}, {0, 1, 1, kC | kNegatedBit}}));
  ASSERT_TRUE(against.load().ok());
  EXPECT_EQ(against.steps_of_run(true), (Steps{0, 3, 4}));
}

TEST(Predicates, AreRefusedWhereNobodyReadsThem) {
  Machine machine(planner::write_program(sums({{0, 0, 2, kC}})));
  EXPECT_EQ(machine.load().code, Code::kUnsupported);
}

TEST(Predicates, NameStepsAndBoolsThatThereAre) {
  const auto refused = [](const std::vector<PredicateRecord>& predicates, Code code,
                          uint32_t record = 0) {
    PredicateMachine machine(sums(predicates));
    const Status status = machine.load();
    EXPECT_EQ(status.code, code);
    EXPECT_EQ(status.value, record);
  };
  refused({{1, 0, 2, kC}}, Code::kBadIndex);
  refused({{0, 4, 2, kC}}, Code::kBadIndex);
  refused({{0, 5, 1, kC}}, Code::kBadIndex);
  refused({{0, 0xfffffffe, 4, kC}}, Code::kBadIndex);
  refused({{0, 0, 2, 7}}, Code::kBadIndex);
  refused({{0, 0, 2, kNoIndex}}, Code::kBadIndex);
  refused({{0, 3, 1, kC}, {0, 0, 1, kC}}, Code::kBadIndex, 1);
  // No bool, no step, and one that is not there yet.
  refused({{0, 0, 2, kX}}, Code::kBadValue);
  refused({{0, 1, 0, kC}}, Code::kBadValue);
  refused({{0, 2, 1, kC}}, Code::kBadValue);
  planner::ProgramTables late = sums({{0, 1, 1, 3}});
  late.values[3].dtype = static_cast<uint8_t>(DType::kBool);
  PredicateMachine machine(late);
  EXPECT_FALSE(machine.load().ok());
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
