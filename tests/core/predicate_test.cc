// Predicates: steps that a run leaves out where a condition does not hold.
#include "core/predicate.h"

#include <gtest/gtest.h>

#include <vector>

#include "planner/program/inspect.h"
#include "tests/core/sample_programs.h"
#include "tests/core/test_forms.h"
#include "tests/core/test_machine.h"

namespace arenite::tests {
namespace {

using format::ArenaKind;
using format::kNegatedBit;
using format::PredicateRecord;

constexpr uint32_t kC = kChoiceCondition;
constexpr uint32_t kX = kC - 1;  // no bool

class PredicateMachine : public Machine {
 public:
  explicit PredicateMachine(const planner::ProgramTables& tables)
      : Machine(planner::write_program(tables)) {
    EXPECT_TRUE(opened.ok());
    options.predicates = &kPredicates;
    platform.context = this;
    platform.profile = [](void* context, ProfileEvent event, uint32_t step) {
      auto& self = *static_cast<PredicateMachine*>(context);
      if (event == ProfileEvent::kStepBegin) self.ran_.push_back(step);
      if (event == ProfileEvent::kStepLeftOut) self.left_out_.push_back(step);
    };
    options.platform = &platform;
  }

  // The steps that a run carries out, `at_once` of them in a call.
  std::vector<uint32_t> steps_of_run(bool condition, uint32_t at_once = kNoIndex) {
    ran_.clear();
    left_out_.clear();
    instance.input(kC)[0] = condition ? std::byte{1} : std::byte{0};
    for (;;) {
      const Result<RunState> state = instance.run_steps(at_once);
      EXPECT_TRUE(state.ok());
      if (!state.ok() || *state == RunState::kDone) return ran_;
    }
  }

  // Those that it left out.
  const std::vector<uint32_t>& left_out() const { return left_out_; }

 private:
  std::vector<uint32_t> ran_, left_out_;
};

TEST(Predicates, StepsRunWhereTheirConditionHolds) {
  PredicateMachine machine(choices({{0, 0, 2, kC}, {0, 3, 1, kC | kNegatedBit}}));
  ASSERT_TRUE(machine.load().ok());
  using Steps = std::vector<uint32_t>;
  for (const uint32_t at_once : {kNoIndex, 1u, 2u}) {
    EXPECT_EQ(machine.steps_of_run(true, at_once), (Steps{0, 1, 4}));
    EXPECT_EQ(machine.left_out(), (Steps{3}));
    EXPECT_EQ(machine.steps_of_run(false, at_once), (Steps{3, 4}));
    EXPECT_EQ(machine.left_out(), (Steps{0, 1}));
  }
}

TEST(Predicates, MayLieInEachOtherAndGoBeyond) {
  using Steps = std::vector<uint32_t>;
  // The last step too: nothing is left to run.
  PredicateMachine all(choices({{0, 0, 5, kC}}));
  ASSERT_TRUE(all.load().ok());
  EXPECT_EQ(all.steps_of_run(false), Steps{});
  EXPECT_EQ(all.steps_of_run(true), (Steps{0, 1, 3, 4}));
  // The second begins inside of the first, which is left out, and ends behind it.
  PredicateMachine across(choices({{0, 0, 2, kC}, {0, 1, 3, kC}}));
  ASSERT_TRUE(across.load().ok());
  EXPECT_EQ(across.steps_of_run(false), (Steps{4}));
  PredicateMachine against(choices({{0, 0, 4, kC}, {0, 1, 1, kC | kNegatedBit}}));
  ASSERT_TRUE(against.load().ok());
  EXPECT_EQ(against.steps_of_run(true), (Steps{0, 3, 4}));
}

TEST(Predicates, AreRefusedWhereNobodyReadsThem) {
  Machine machine(planner::write_program(choices({{0, 0, 2, kC}})));
  EXPECT_EQ(machine.load().code, Code::kUnsupported);
}

TEST(Predicates, NameStepsAndBoolsThatThereAre) {
  const auto refused = [](const std::vector<PredicateRecord>& predicates, Code code,
                          uint32_t record = 0) {
    PredicateMachine machine(choices(predicates));
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
  planner::ProgramTables late = choices({{0, 1, 1, 3}});
  late.values[3].dtype = static_cast<uint8_t>(DType::kBool);
  PredicateMachine machine(late);
  EXPECT_FALSE(machine.load().ok());
}

TEST(Predicates, DamagedOnesAreShownAsFarAsTheyCanBe) {
  const planner::ProgramInfo info =
      planner::inspect(planner::write_program(choices({{0, 0, 2, 99}, {0, 1, 1, kC}})));
  const auto& steps = info.methods[0].variants[0].steps;
  EXPECT_TRUE(steps[0].conditions.empty());
  ASSERT_EQ(steps[1].conditions.size(), 1u);
  EXPECT_EQ(steps[1].conditions[0].value, kC);
  EXPECT_FALSE(info.damage.empty());
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
