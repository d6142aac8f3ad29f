// Predicates: steps that a run leaves out where a condition does not hold.
#include "core/predicate.h"

#include <gtest/gtest.h>

#include <string>
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
constexpr uint32_t kNoBool = kC - 1;  // no bool

class PredicateMachine : public Machine {
 public:
  static Code opened_code(const planner::ProgramTables& tables) {
    return Machine(planner::write_program(tables)).opened.code;
  }
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
    instance.input(1)[0] = condition ? std::byte{1} : std::byte{0};
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

// What the device is given in a run, and how often.
std::vector<std::string> device_runs(const std::vector<PredicateRecord>& predicates, bool condition,
                                     std::vector<uint32_t> left_out = {}) {
  PredicateMachine machine(device_choices(predicates));
  const Status status = machine.load();
  EXPECT_TRUE(status.ok()) << static_cast<uint32_t>(status.code) << " " << status.value;
  if (!status.ok()) return {};
  machine.steps_of_run(condition);
  machine.device.events.clear();
  machine.steps_of_run(condition);
  EXPECT_EQ(machine.left_out(), left_out);
  return machine.device.events;
}

using Events = std::vector<std::string>;

TEST(Predicates, ADeviceLeavesStretchesOutThatTheCpuKnowsOf) {
  constexpr uint32_t kCond = kDeviceCondition;
  const std::vector<PredicateRecord> sides = {{0, 2, 1, kCond}, {0, 3, 1, kCond | kNegatedBit}};
  EXPECT_EQ(device_runs({}, true), (Events{"run 0 1 1 2 2 3 3 4 4 5"}));
  EXPECT_EQ(device_runs(sides, true, {3}), (Events{"run 0 1 1 2 2 3 4 5"}));
  EXPECT_EQ(device_runs(sides, false, {2}), (Events{"run 0 1 1 2 3 4 4 5"}));
  // One that is left out ends with a stretch, but not with the predicate.
  EXPECT_EQ(device_runs({{0, 2, 2, kCond}}, false, {2, 3}), (Events{"run 0 1 1 2 4 5"}));
  EXPECT_EQ(device_runs({{0, 1, 4, kCond}}, false, {1, 2, 3, 4}), (Events{"run 0 1"}));
}

TEST(Predicates, ADeviceIsWaitedForWhereItComputesTheCondition) {
  constexpr uint32_t kMade = kMadeCondition;
  EXPECT_EQ(device_runs({{0, 2, 1, kMade}}, true), (Events{"run 0 1 1 2", "run 2 3 3 4 4 5"}));
  EXPECT_EQ(device_runs({{0, 2, 1, kMade}}, false, {2}), (Events{"run 0 1 1 2", "run 3 4 4 5"}));
  // Not where another condition says already that it is left out.
  const std::vector<PredicateRecord> both = {{0, 2, 1, kDeviceCondition}, {0, 2, 1, kMade}};
  EXPECT_EQ(device_runs(both, false, {2}), (Events{"run 0 1 1 2 3 4 4 5"}));
  EXPECT_EQ(device_runs(both, true), (Events{"run 0 1 1 2", "run 2 3 3 4 4 5"}));
}

TEST(Predicates, ADeviceRunsAStretchOfWhichOnlyAPartIsNotNeeded) {
  planner::ProgramTables tables = device_choices({{0, 2, 1, kDeviceCondition}});
  tables.steps[3].flags = 0;  // the stretch is steps 2 and 3 now
  PredicateMachine machine(tables);
  ASSERT_TRUE(machine.load().ok());
  machine.device.events.clear();
  machine.steps_of_run(false);
  EXPECT_EQ(machine.device.events, (Events{"run 0 1 1 2 2 4 4 5"}));
  EXPECT_TRUE(machine.left_out().empty());
}

TEST(Predicates, RunStepsStopsWhereADeviceIsWaitedFor) {
  PredicateMachine machine(device_choices({{0, 2, 1, kMadeCondition}}));
  ASSERT_TRUE(machine.load().ok());
  machine.instance.input(1)[0] = std::byte{1};
  Result<RunState> state = machine.instance.run_steps(1);
  ASSERT_TRUE(state.ok());
  EXPECT_EQ(*state, RunState::kMore);
  EXPECT_EQ(machine.instance.next_step(), 2u);
  state = machine.instance.run_steps(1);
  ASSERT_TRUE(state.ok());
  EXPECT_EQ(*state, RunState::kDone);
}

TEST(Predicates, StretchesBeginOnlyWhereTheFileSaysThatSomeDo) {
  planner::ProgramTables tables = device_choices({});
  tables.required_features &= ~uint32_t{format::kCutsFeature};
  EXPECT_EQ(PredicateMachine::opened_code(tables), Code::kBadValue);
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
  refused({{0, 0, 2, kNoBool}}, Code::kBadValue);
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
