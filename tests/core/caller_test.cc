// Inputs and outputs in memory that the caller gives, run by run.
#include <gtest/gtest.h>

#include <vector>

#include "core/instance.h"
#include "tests/core/sample_programs.h"
#include "tests/core/test_forms.h"
#include "tests/core/test_machine.h"

namespace arenite::tests {
namespace {

using format::ArenaKind;

constexpr uint32_t kBytes = 12;
constexpr uint32_t kAlignment = 8;

// y = 4 x in two steps, x and y with the caller, what lies between them in a host arena.
ProgramBuilder lent_builder() {
  ProgramBuilder b;
  b.method("m", 1, 1);
  b.variant("board");
  const uint32_t host = b.arena(ArenaKind::kHost, 16);
  const uint32_t in = b.arena(ArenaKind::kCaller, kBytes, kAlignment);
  const uint32_t out = b.arena(ArenaKind::kCaller, kBytes, kAlignment);
  const uint32_t x = b.value({.dims = {3}, .place = in});
  const uint32_t t = b.value({.dims = {3}, .place = host, .last_step = 1});
  const uint32_t y = b.value({.dims = {3}, .place = out, .first_step = 1, .last_step = 1});
  const auto attributes = words_of(BinaryAttributes{});
  b.step({.op = Op::kAdd, .inputs = {x, x}, .outputs = {t}, .attributes = attributes});
  b.step({.op = Op::kAdd, .inputs = {t, t}, .outputs = {y}, .attributes = attributes});
  b.io({x, y});
  return b;
}

TEST(CallerArenas, EachRunUsesTheMemoryBoundLast) {
  Machine machine(lent_builder().file());
  ASSERT_TRUE(machine.load().ok());
  for (const float first : {1.0f, 10.0f}) {
    const Block x(kBytes, kAlignment);
    const Block y(kBytes, kAlignment);
    fill(x.bytes(), {first, 2, 3});
    ASSERT_TRUE(machine.instance.bind_input(0, x.bytes()).ok());
    ASSERT_TRUE(machine.instance.bind_output(0, y.bytes()).ok());
    ASSERT_TRUE(machine.instance.run().ok());
    EXPECT_EQ(floats(y.bytes()), (std::vector<float>{4 * first, 8, 12}));
    EXPECT_EQ(floats(x.bytes()), (std::vector<float>{first, 2, 3}));
    EXPECT_EQ(machine.instance.output(0).data(), y.bytes().data());
    EXPECT_EQ(machine.instance.input(0).data(), x.bytes().data());
  }
}

TEST(CallerArenas, MayBeGivenAtLoad) {
  Machine machine(lent_builder().file());
  const Block host(16, 16);
  const Block x(kBytes, kAlignment);
  const Block y(kBytes, kAlignment);
  const std::span<std::byte> arenas[] = {host.bytes(), x.bytes(), y.bytes()};
  machine.options.arenas = arenas;
  ASSERT_TRUE(machine.instance.load(machine.program, machine.options).ok());
  fill(machine.instance.input(0), {1, 2, 3});
  ASSERT_TRUE(machine.instance.run().ok());
  EXPECT_EQ(floats(y.bytes()), (std::vector<float>{4, 8, 12}));
}

TEST(CallerArenas, NothingRunsBeforeAllAreBound) {
  Machine machine(lent_builder().file());
  ASSERT_TRUE(machine.load().ok());
  EXPECT_TRUE(machine.instance.input(0).empty());
  EXPECT_TRUE(machine.instance.output(0).empty());
  const Status none = machine.instance.run();
  EXPECT_EQ(none.code, Code::kArenaMissing);
  EXPECT_EQ(none.value, 1u);
  const Block x(kBytes, kAlignment);
  ASSERT_TRUE(machine.instance.bind_input(0, x.bytes()).ok());
  const Status half = machine.instance.run_steps(1).status();
  EXPECT_EQ(half.code, Code::kArenaMissing);
  EXPECT_EQ(half.value, 2u);
}

TEST(CallerArenas, MemoryIsChecked) {
  Machine machine(lent_builder().file());
  const Block memory(kBytes + kAlignment, kAlignment);
  EXPECT_EQ(machine.instance.bind_input(0, memory.bytes()).code, Code::kNotLoaded);
  ASSERT_TRUE(machine.load().ok());
  Instance& instance = machine.instance;
  EXPECT_EQ(instance.bind_input(1, memory.bytes()).code, Code::kBadIndex);
  EXPECT_EQ(instance.bind_output(1, memory.bytes()).code, Code::kBadIndex);
  EXPECT_EQ(instance.bind_input(0, memory.bytes().first(kBytes - 1)).code, Code::kArenaTooSmall);
  EXPECT_EQ(instance.bind_input(0, memory.bytes().subspan(4)).code, Code::kBadAlignment);
  EXPECT_EQ(instance.bind_output(0, {}).code, Code::kArenaTooSmall);
  const std::span<std::byte> null(static_cast<std::byte*>(nullptr), kBytes);
  EXPECT_EQ(instance.bind_input(0, null).code, Code::kArenaMissing);
  EXPECT_EQ(instance.run().code, Code::kArenaMissing);
}

TEST(CallerArenas, PlannedInputsCannotBeBound) {
  Machine machine(twice_builder().file());
  ASSERT_TRUE(machine.load().ok());
  const Block memory(64, 64);
  EXPECT_EQ(machine.instance.bind_input(0, memory.bytes()).code, Code::kUnsupported);
  EXPECT_EQ(machine.instance.bind_output(0, memory.bytes()).code, Code::kUnsupported);
}

// A step could write over an input otherwise, which may be memory that nobody may write to.
TEST(CallerArenas, HoldOneValue) {
  ProgramBuilder b;
  b.method("m", 1, 1);
  b.variant("board");
  b.arena(ArenaKind::kCaller, 16);
  const uint32_t x = b.value({.dims = {2}});
  const uint32_t y = b.value({.dims = {2}, .offset = 8});
  b.step({.op = Op::kCopy, .inputs = {x}, .outputs = {y}});
  b.io({x, y});
  Machine machine(b.file());
  EXPECT_EQ(machine.opened.code, Code::kBadValue);
  EXPECT_EQ(machine.opened.value, y);
}

// Only upload and readback memory is both the CPU's and a device's.
TEST(CallerArenas, AreOutOfADevicesReach) {
  ProgramBuilder b;
  b.method("m", 1, 0);
  b.variant("board");
  const uint32_t in = b.arena(ArenaKind::kCaller, 8);
  const uint32_t device = b.arena(ArenaKind::kDevice, 8, 256);
  const uint32_t x = b.value({.dims = {2}, .place = in});
  const uint32_t y = b.value({.dims = {2}, .place = device});
  b.step({.op = Op::kCopy, .where = format::Where::kTransfer, .inputs = {x}, .outputs = {y}});
  b.io({x});
  Machine machine(b.file());
  const Status status = machine.load();
  EXPECT_EQ(status.code, Code::kBadStep);
  EXPECT_EQ(status.step, 0u);
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
