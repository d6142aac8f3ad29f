// States: what an output holds at the end of a run, an input holds at the start of the next.
#include "core/state.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/core/sample_programs.h"
#include "tests/core/test_forms.h"
#include "tests/core/test_machine.h"

namespace arenite::tests {
namespace {

using format::ArenaKind;

constexpr uint32_t kStateArena = Sums::kStateArena;

Status load(const planner::ProgramTables& tables) {
  Machine machine(planner::write_program(tables));
  EXPECT_TRUE(machine.opened.ok());
  machine.options.states = &kStates;
  return machine.load();
}

std::vector<float> run(Machine& machine, float x) {
  fill(machine.instance.input(0), {x, x, x});
  EXPECT_TRUE(machine.instance.run().ok());
  return floats(machine.instance.output(0));
}

TEST(States, AreKeptFromRunToRunAndResetOnRequest) {
  for (const bool constant : {false, true}) {
    Machine machine(planner::write_program(sums(constant).tables));
    machine.options.states = &kStates;
    EXPECT_EQ(machine.instance.reset_states().code, Code::kNotLoaded);
    ASSERT_TRUE(machine.load().ok());
    const float a = constant ? 10 : 0, b = constant ? 20 : 0, c = constant ? 30 : 0;
    EXPECT_EQ(run(machine, 1), (std::vector<float>{a + 1, b + 1, c + 1}));
    EXPECT_EQ(run(machine, 2), (std::vector<float>{a + 3, b + 3, c + 3}));
    EXPECT_EQ(floats(machine.instance.input(1)), (std::vector<float>{a + 3, b + 3, c + 3}));
    ASSERT_TRUE(machine.instance.reset_states().ok());
    EXPECT_EQ(run(machine, 5), (std::vector<float>{a + 5, b + 5, c + 5}));
  }
}

TEST(States, ChangeAtTheEndOfARunAlone) {
  Machine machine(planner::write_program(sums(true).tables));
  machine.options.states = &kStates;
  ASSERT_TRUE(machine.load().ok());
  fill(machine.instance.input(0), {1, 1, 1});
  ASSERT_TRUE(machine.instance.run_steps(1).ok());
  EXPECT_EQ(floats(machine.instance.input(1)), (std::vector<float>{10, 20, 30}));
  const Result<RunState> end = machine.instance.run_steps(1);
  ASSERT_TRUE(end.ok());
  EXPECT_EQ(*end, RunState::kDone);
  EXPECT_EQ(floats(machine.instance.input(1)), (std::vector<float>{11, 21, 31}));
}

// Another method sets it.
TEST(States, WithoutAnOutputAreOnlyRead) {
  Sums s = sums(true);
  s.tables.states[0].output = kNoIndex;
  Machine machine(planner::write_program(s.tables));
  machine.options.states = &kStates;
  ASSERT_TRUE(machine.load().ok());
  EXPECT_EQ(run(machine, 1), (std::vector<float>{11, 21, 31}));
  EXPECT_EQ(run(machine, 2), (std::vector<float>{12, 22, 32}));
  fill(machine.instance.input(1), {1, 2, 3});
  EXPECT_EQ(run(machine, 1), (std::vector<float>{2, 3, 4}));
  ASSERT_TRUE(machine.instance.reset_states().ok());
  EXPECT_EQ(floats(machine.instance.input(1)), (std::vector<float>{10, 20, 30}));
}

TEST(States, AreTakenOverFromAnEarlierInstance) {
  Machine machine(planner::write_program(sums(true).tables));
  machine.options.states = &kStates;
  ASSERT_TRUE(machine.load().ok());
  run(machine, 1);
  const Block host(64, 16), state(16, 16);
  std::copy_n(machine.instance.input(1).begin(), 12, state.bytes().begin());
  const std::span<std::byte> arenas[] = {host.bytes(), state.bytes()};
  LoadOptions options = machine.options;
  options.arenas = arenas;
  options.keep_states = true;
  ScopedInstance second;
  ASSERT_TRUE(second.load(machine.program, options).ok());
  EXPECT_EQ(floats(second.input(1)), (std::vector<float>{11, 21, 31}));
}

TEST(States, AreRefusedWhereNobodyRunsThem) {
  Machine machine(planner::write_program(sums(false).tables));
  EXPECT_EQ(machine.load().code, Code::kUnsupported);
  // An arena of their kind without any is no better.
  Sums bare = sums(false);
  bare.tables.states.clear();
  Machine other(planner::write_program(bare.tables));
  EXPECT_EQ(other.load().code, Code::kUnsupported);
}

TEST(States, MakeSense) {
  const auto refused = [](void (*damage)(Sums&), Code code, uint32_t value) {
    Sums s = sums(true);
    damage(s);
    const Status status = load(s.tables);
    EXPECT_EQ(status.code, code);
    EXPECT_EQ(status.value, value);
  };
  refused([](Sums& s) { s.tables.states[0].method = 1; }, Code::kBadIndex, 0);
  refused([](Sums& s) { s.tables.states[0].input = 2; }, Code::kBadIndex, 0);
  refused([](Sums& s) { s.tables.states[0].output = 2; }, Code::kBadIndex, 0);
  refused([](Sums& s) { s.tables.states[0].initial = 1; }, Code::kBadIndex, 0);
  // One input, two states.
  refused([](Sums& s) { s.tables.states.push_back(s.tables.states[0]); }, Code::kBadIndex, 1);
  // The input lies elsewhere.
  refused([](Sums& s) { s.tables.states[0].input = 0; }, Code::kBadValue, 0);
  // Other bytes than the state's.
  refused(
      [](Sums& s) {
        s.tables.constants[0].bytes = 8;
        s.tables.shapes[s.tables.constants[0].shape] = 2;
      },
      Code::kBadValue, 0);
  // Other dims than the output's. Both are three of four numbers in their arenas.
  Sums s = sums(false);
  s.tables.values[s.s].shape = static_cast<uint32_t>(s.tables.shapes.size());
  s.tables.shapes.insert(s.tables.shapes.end(), {1, 3, 3, 1});
  s.tables.values[s.s].rank = 2;
  EXPECT_FALSE(load(s.tables).ok());
}

// An arena of no bytes has no memory, where nothing may be copied to, be it nothing.
TEST(States, OfNoBytesAreLeftAlone) {
  ProgramBuilder b;
  b.method("m", 1, 1);
  b.variant("board");
  b.arena(ArenaKind::kHost, 0);
  b.arena(ArenaKind::kState, 0);
  const uint32_t s = b.value({.dims = {0}, .place = kStateArena});
  const uint32_t y = b.value({.dims = {0}});
  b.step({.inputs = {s, s}, .outputs = {y}, .attributes = words_of(BinaryAttributes{})});
  b.io({s, y});
  planner::ProgramTables tables = b.tables();
  tables.states.push_back({0, 0, 0, kNoIndex});
  Machine machine(planner::write_program(tables));
  machine.options.states = &kStates;
  ASSERT_TRUE(machine.load().ok());
  EXPECT_TRUE(machine.instance.run().ok());
  EXPECT_TRUE(machine.instance.input(0).empty());
}

TEST(States, ShareTheirArenaWithNothingElse) {
  // An input that is no state.
  Sums s = sums(false);
  s.tables.values[s.x].place = kStateArena;
  s.tables.arenas[kStateArena].bytes = 48;
  s.tables.values[s.x].offset = 32;
  const std::vector<uint32_t> io(s.tables.io.begin(), s.tables.io.begin() + 2);
  certify(s.tables.values, 0, 4, io);
  Status status = load(s.tables);
  EXPECT_EQ(status.code, Code::kBadValue);
  // A step writes the state's value, although it is the very output that the state takes.
  s = sums(false);
  s.tables.values[s.next].place = kStateArena;
  s.tables.arenas[kStateArena].bytes = 48;
  certify(s.tables.values, 0, 4, io);
  status = load(s.tables);
  EXPECT_EQ(status.code, Code::kBadValue);
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
