// Pauses: calls inside steps come in time, change no result, and can end a run.
#include "core/pauses.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/core/sample_programs.h"
#include "tests/core/test_forms.h"
#include "tests/core/test_machine.h"

namespace arenite::tests {
namespace {

// Notes what happens: pieces as {first, last}, calls as {}. Says no at call `last_call`.
class Watched {
 public:
  explicit Watched(uint32_t operations) {
    pauses.call = [](void* self) { return static_cast<Watched*>(self)->call(); };
    pauses.context = this;
    pauses.operations = operations;
    platform.pauses = &pauses;
    platform.context = this;
  }

  using Events = std::vector<std::pair<uint32_t, uint32_t>>;

  // The events of a loop.
  Events cut(uint32_t items, uint64_t work) {
    events_.clear();
    pauses.functions->cut(
        platform, items, work,
        [](void* self, uint32_t first, uint32_t last, uint32_t) {
          static_cast<Watched*>(self)->events_.emplace_back(first, last);
        },
        this);
    return events_;
  }

  Pauses pauses;
  Platform platform;
  uint32_t calls = 0;
  uint32_t last_call = 0;  // 0: none

 private:
  bool call() {
    events_.emplace_back();
    return ++calls != last_call;
  }

  Events events_;
};

constexpr std::pair<uint32_t, uint32_t> kCall = {};

TEST(Pauses, CutALoopBetweenItems) {
  Watched watched(250);
  // Of 101 operations each, as shares are rounded up.
  EXPECT_EQ(watched.cut(5, 500), (Watched::Events{{0, 2}, kCall, {2, 4}, kCall, {4, 5}}));
  // The next loop goes on counting.
  EXPECT_EQ(watched.cut(3, 300), (Watched::Events{{0, 1}, kCall, {1, 3}}));
  EXPECT_EQ(watched.cut(1, 20), (Watched::Events{{0, 1}}));
  EXPECT_EQ(watched.cut(0, 0), Watched::Events());
}

TEST(Pauses, CutNoItem) {
  Watched watched(10);
  EXPECT_EQ(watched.cut(3, 300), (Watched::Events{{0, 1}, kCall, {1, 2}, kCall, {2, 3}}));
  EXPECT_EQ(watched.cut(1, 300), (Watched::Events{kCall, {0, 1}}));
}

TEST(Pauses, CountMoreOperationsThan32Bits) {
  Watched watched(0xffffffff);
  // Of somewhat more than 3 * 2^30 each.
  EXPECT_EQ(watched.cut(4, uint64_t{12} << 30),
            (Watched::Events{{0, 1}, kCall, {1, 2}, kCall, {2, 3}, kCall, {3, 4}}));
}

TEST(Pauses, LetThreadsShareEachPiece) {
  Watched watched(20000);
  watched.platform.threads = 3;
  watched.platform.parallel_for = [](void*, uint32_t count, uint32_t threads, PieceFunction task,
                                     void* argument) {
    EXPECT_EQ(threads, 3u);
    for (uint32_t i = 0; i < count; ++i) task(argument, i, i + 1, i % threads);
  };
  // Each thread has one item between two calls.
  EXPECT_EQ(watched.cut(5, 50000),
            (Watched::Events{{0, 1}, {1, 2}, {2, 3}, kCall, {3, 4}, {4, 5}}));
  // Too little for threads.
  EXPECT_EQ(watched.cut(2, 20), (Watched::Events{{0, 2}}));
}

TEST(Pauses, LeaveOutTheRestBehindACancel) {
  Watched watched(100);
  watched.last_call = 2;
  EXPECT_EQ(watched.cut(9, 900), (Watched::Events{{0, 1}, kCall, {1, 2}, kCall}));
  EXPECT_EQ(watched.cut(9, 900), Watched::Events());
  Status status;
  watched.pauses.functions->end_step(watched.pauses, status);
  EXPECT_EQ(status.code, Code::kCancelled);
  // The next run begins anew.
  status = {};
  EXPECT_EQ(watched.cut(1, 10), (Watched::Events{{0, 1}}));
  watched.pauses.functions->end_step(watched.pauses, status);
  EXPECT_TRUE(status.ok());
}

TEST(Pauses, AStepsOwnErrorGoesFirst) {
  Watched watched(100);
  watched.last_call = 1;
  watched.cut(2, 200);
  Status status = error(Code::kIndexOutOfRange, 7);
  watched.pauses.functions->end_step(watched.pauses, status);
  EXPECT_EQ(status.code, Code::kIndexOutOfRange);
  EXPECT_FALSE(watched.pauses.cancelled);
}

class SumsMachine : public Machine {
 public:
  SumsMachine() : Machine(planner::write_program(sums(true).tables)) {
    options.states = &kStates;
    EXPECT_TRUE(load().ok());
  }
  Status run(float x) {
    fill(instance.input(0), {x, x, x});
    return instance.run();
  }
};

// Its steps do not count their operations themselves, so that there is a call behind each.
TEST(Pauses, ACancelledRunLeavesStatesAsTheyWere) {
  SumsMachine machine, other;
  Watched watched(1000);
  machine.instance.set_pauses(&watched.pauses);
  for (const uint32_t last_call : {1u, 2u}) {
    watched.calls = 0;
    watched.last_call = last_call;
    const Status status = machine.run(5);
    EXPECT_EQ(status.code, Code::kCancelled);
    EXPECT_EQ(status.step, last_call - 1);
    EXPECT_EQ(watched.calls, last_call);
    EXPECT_EQ(floats(machine.instance.input(1)), (std::vector<float>{10, 20, 30}));
    EXPECT_EQ(machine.instance.next_step(), 0u);
  }
  // As if it had never been cancelled.
  watched.last_call = 0;
  for (const float x : {1.0f, 2.0f}) {
    ASSERT_TRUE(machine.run(x).ok());
    ASSERT_TRUE(other.run(x).ok());
    EXPECT_EQ(floats(machine.instance.output(0)), floats(other.instance.output(0)));
  }
  EXPECT_EQ(floats(machine.instance.input(1)), (std::vector<float>{13, 23, 33}));
  machine.instance.set_pauses(nullptr);
  watched.calls = 0;
  ASSERT_TRUE(machine.run(1).ok());
  EXPECT_EQ(watched.calls, 0u);
}

TEST(Pauses, AreCalledInPiecesOfARunToo) {
  SumsMachine machine;
  Watched watched(1000);
  machine.instance.set_pauses(&watched.pauses);
  fill(machine.instance.input(0), {1, 1, 1});
  ASSERT_TRUE(machine.instance.run_steps(1).ok());
  EXPECT_EQ(watched.calls, 1u);
  watched.last_call = 2;
  EXPECT_EQ(machine.instance.run_steps(1).status().code, Code::kCancelled);
  EXPECT_EQ(machine.instance.next_step(), 0u);
}

TEST(Pauses, AreCalledBehindStepsThatRunAlone) {
  Machine machine(planner::write_program(choices({{0, 0, 2, kChoiceCondition}})));
  machine.options.predicates = &kPredicates;
  Watched watched(1000);
  machine.platform.pauses = &watched.pauses;
  machine.options.platform = &machine.platform;
  ASSERT_TRUE(machine.load().ok());
  fill(machine.instance.input(0), {1, 1, 1});
  for (const bool condition : {true, false}) {
    watched.calls = 0;
    machine.instance.input(kChoiceCondition)[0] = std::byte{condition};
    ASSERT_TRUE(machine.instance.run().ok());
    EXPECT_EQ(watched.calls, condition ? 4u : 2u);
  }
}

// A stretch of device steps is one.
TEST(Pauses, AreCalledBehindWhatADeviceDid) {
  Machine machine(planner::write_program(sample_builder().tables()));
  Watched watched(1000);
  machine.platform.pauses = &watched.pauses;
  machine.options.platform = &machine.platform;
  ASSERT_TRUE(machine.load(kScale, 0).ok());
  ASSERT_TRUE(machine.instance.run().ok());
  EXPECT_EQ(watched.calls, 4u);
  watched.last_call = 5;
  EXPECT_EQ(machine.instance.run().code, Code::kCancelled);
  EXPECT_EQ(watched.calls, 5u);
  watched.last_call = 0;
  EXPECT_TRUE(machine.instance.run().ok());
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
