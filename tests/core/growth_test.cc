// Growth: a state takes what its output holds, dims and all, and no table lets it take more than
// its memory holds.
#include "core/growth.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <vector>

#include "portable_fallback/forms.h"
#include "tests/core/expect_error.h"
#include "tests/core/sample_programs.h"
#include "tests/core/test_machine.h"

namespace arenite::tests {
namespace {

using Dims = std::vector<uint32_t>;
using Floats = std::vector<float>;
using planner::ProgramTables;

class LogMachine : public Machine {
 public:
  explicit LogMachine(const ProgramTables& tables = growing_log())
      : Machine(planner::write_program(tables)) {
    options.ops = all_ops();
    options.symbols = &kSymbols;
    options.states = &kGrowingStates;
  }

  Status set(uint32_t b, uint32_t n) { return instance.set_symbols(std::array{b, n}); }
  // One row.
  Status run(float x) {
    fill(instance.input(0), Floats(instance.input(0).size() / 4, x));
    return instance.run();
  }
  Dims dims(const Tensor& tensor) const { return {tensor.dims, tensor.dims + tensor.rank()}; }
  Dims log_dims() const { return dims(instance.input_tensor(1)); }
  Dims all_dims() const { return dims(instance.output_tensor(0)); }
  Floats log() const { return floats(instance.input(1)); }
  Floats all() const { return floats(instance.output(0)); }
};

TEST(Growth, EachRunLeavesMore) {
  LogMachine machine;
  ASSERT_TRUE(machine.load().ok());
  EXPECT_EQ(machine.log_dims(), (Dims{2, 0}));
  ASSERT_TRUE(machine.run(1).ok());
  EXPECT_EQ(machine.all(), (Floats{1, 1}));
  // What has been put out keeps its dims until it is lost.
  EXPECT_EQ(machine.all_dims(), (Dims{2, 1}));
  EXPECT_EQ(machine.instance.symbol(1), 0u);
  ASSERT_TRUE(machine.instance.settle_states().ok());
  EXPECT_EQ(machine.instance.symbol(1), 1u);
  EXPECT_EQ(machine.log_dims(), (Dims{2, 1}));
  EXPECT_EQ(machine.log(), (Floats{1, 1}));
  ASSERT_TRUE(machine.run(2).ok());
  EXPECT_EQ(machine.all(), (Floats{1, 2, 1, 2}));
  ASSERT_TRUE(machine.run(3).ok());
  EXPECT_EQ(machine.all(), (Floats{1, 2, 3, 1, 2, 3}));
  EXPECT_EQ(floats(machine.instance.output(1)), (Floats{6, 6}));
}

TEST(Growth, AFullStateIsKeptAndTheRunRefused) {
  LogMachine machine;
  ASSERT_TRUE(machine.load().ok());
  for (const float x : {1.f, 2.f, 3.f}) ASSERT_TRUE(machine.run(x).ok());
  for (int i = 0; i < 2; ++i) expect_error(machine.run(4), Code::kSymbolOutOfRange, 1);
  EXPECT_EQ(machine.log(), (Floats{1, 2, 3, 1, 2, 3}));
  ASSERT_TRUE(machine.instance.reset_states().ok());
  EXPECT_EQ(machine.log_dims(), (Dims{2, 0}));
  ASSERT_TRUE(machine.run(5).ok());
  EXPECT_EQ(machine.all(), (Floats{5, 5}));
}

TEST(Growth, ARunInPiecesGrowsAtItsEnd) {
  LogMachine machine;
  ASSERT_TRUE(machine.load().ok());
  ASSERT_TRUE(machine.run(1).ok());
  ASSERT_TRUE(machine.instance.settle_states().ok());
  fill(machine.instance.input(0), {2, 2});
  ASSERT_TRUE(machine.instance.run_steps(1).ok());
  ASSERT_TRUE(machine.instance.settle_states().ok());
  EXPECT_EQ(machine.log_dims(), (Dims{2, 1}));
  ASSERT_TRUE(machine.instance.run_steps(1).ok());
  ASSERT_TRUE(machine.instance.settle_states().ok());
  EXPECT_EQ(machine.log(), (Floats{1, 2, 1, 2}));
}

TEST(Growth, OtherDimsBeginAnew) {
  LogMachine machine;
  ASSERT_TRUE(machine.load().ok());
  for (const float x : {1.f, 2.f}) ASSERT_TRUE(machine.run(x).ok());
  // Of the caller's: also those that runs change.
  ASSERT_TRUE(machine.instance.set_shape(0, std::array{1u, 1u}).ok());
  EXPECT_EQ(machine.log_dims(), (Dims{1, 0}));
  ASSERT_TRUE(machine.run(3).ok());
  EXPECT_EQ(machine.all(), (Floats{3}));
  // The same dims change nothing.
  ASSERT_TRUE(machine.instance.set_shape(0, std::array{1u, 1u}).ok());
  EXPECT_EQ(machine.log(), (Floats{3}));
  // Those that are asked for are zeros.
  ASSERT_TRUE(machine.set(2, 2).ok());
  EXPECT_EQ(machine.log(), (Floats{0, 0, 0, 0}));
  fill(machine.instance.input(1), {1, 2, 3, 4});
  ASSERT_TRUE(machine.run(9).ok());
  EXPECT_EQ(machine.all(), (Floats{1, 2, 9, 3, 4, 9}));
  expect_error(machine.set(2, 4), Code::kSymbolOutOfRange, 1);
  expect_error(machine.instance.set_symbols(std::array{2u}), Code::kBadIndex);
  EXPECT_EQ(machine.log(), (Floats{1, 2, 9, 3, 4, 9}));
}

TEST(Growth, IsRefusedWhereNobodyRunsIt) {
  LogMachine fixed;
  fixed.options.states = &kStates;
  expect_error(fixed.load(), Code::kBadValue, Log::kLog);
  // An earlier instance would not say how far its state has grown.
  LogMachine kept;
  kept.options.keep_states = true;
  expect_error(kept.load(), Code::kUnsupported);
  EXPECT_EQ(LogMachine().instance.settle_states().code, Code::kNotLoaded);
}

TEST(Growth, StatesThatMakeNoSenseAreRefused) {
  const auto load = [](const std::function<void(ProgramTables&)>& damage) {
    ProgramTables tables = growing_log();
    damage(tables);
    LogMachine machine(tables);
    return machine.opened.ok() ? machine.load() : machine.opened;
  };
  const auto patch_of = [](ProgramTables& tables, uint32_t value, uint32_t d) {
    return std::ranges::find(tables.patches, tables.values[value].shape + d,
                             &format::PatchRecord::index);
  };
  // Its dim is no symbol.
  expect_error(load([&](ProgramTables& t) {
                 t.expressions.push_back({static_cast<uint32_t>(format::ExpressionKind::kMultiply),
                                          Log::kOne, Log::kColumns});
                 ++t.symbolic_variants[0].expression_count;
                 for (const uint32_t d : {1u, 2u}) patch_of(t, Log::kLog, d)->expression = 4;
               }),
               Code::kBadValue, Log::kLog);
  // It has numbers of its own.
  expect_error(load([](ProgramTables& t) { t.states[0].initial = 0; }), Code::kBadValue, Log::kLog);
}

// Dims that are right for the most, and beyond the state's memory for less.
TEST(Growth, NothingIsTakenThatMemoryDoesNotHold) {
  ProgramTables tables = growing_log();
  // The next number is 4 - n * n / 3, which is 4 where n is 0.
  const auto add = [&](format::ExpressionKind kind, uint32_t a, uint32_t b) {
    tables.expressions.push_back({static_cast<uint32_t>(kind), a, b});
    return static_cast<uint32_t>(tables.expressions.size()) - 1;
  };
  const uint32_t most = add(format::ExpressionKind::kConstant, 4, 0);
  tables.symbolic_variants[0].expression_count = static_cast<uint32_t>(tables.expressions.size());
  for (format::PatchRecord& patch : tables.patches) {
    if (patch.expression == Log::kNext) patch.expression = most;
  }
  LogMachine machine(tables);
  // Concatenation of n and 1 columns gives 4 for the most alone.
  EXPECT_FALSE(machine.load().ok());
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
