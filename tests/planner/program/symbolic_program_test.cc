// Programs whose dims follow from symbols, in the hands of tools: inspected, stripped, watched.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "planner/graph/graph.h"
#include "planner/program/check.h"
#include "planner/program/inspect.h"
#include "planner/program/strip.h"
#include "planner/program/watch.h"
#include "planner/report/ram.h"
#include "tests/core/sample_programs.h"
#include "tests/planner/plan/run_program.h"

namespace arenite::test {
namespace {

using planner::ProgramTables;
using testing::HasSubstr;
using testing::Not;
using tests::Rows;

// The rows' method for two boards: "other", of fixed dims, then "board", whose dims follow from
// symbols. The words of both are shared.
ProgramTables two_boards() {
  ProgramTables tables = tests::symbolic_rows();
  const ProgramTables one = tables;
  const planner::TextRange name = planner::add_text(tables, "other");
  format::VariantRecord fixed = tables.variants[0];
  fixed.board_offset = name.offset;
  fixed.board_bytes = name.bytes;
  const auto twice = [](auto& records) {
    const auto copy = records;
    records.insert(records.end(), copy.begin(), copy.end());
    return static_cast<uint32_t>(copy.size());
  };
  format::VariantRecord& symbolic = tables.variants[0];
  symbolic.arena_first = twice(tables.arenas);
  symbolic.value_first = twice(tables.values);
  symbolic.io_first = twice(tables.io);
  symbolic.step_first = twice(tables.steps);
  const uint32_t operands = twice(tables.operands);
  for (uint32_t s = symbolic.step_first; s < tables.steps.size(); ++s) {
    tables.steps[s].operand_first += operands;
  }
  tables.variants.insert(tables.variants.begin(), fixed);
  tables.methods[0].variant_count = 2;
  tables.symbolic_variants[0].variant = 1;
  return tables;
}

std::vector<std::vector<std::byte>> outputs(const Program& program, uint32_t variant, uint32_t n,
                                            uint32_t k, bool set) {
  std::vector<float> x(size_t{n} * k);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * i);
  const auto bytes = std::as_bytes(std::span(x));
  RunRequest request{.variant = variant};
  if (set) request.symbols = {n, k};
  const std::vector<std::vector<std::byte>> inputs = {{bytes.begin(), bytes.end()}};
  return run(program, request, inputs);
}

TEST(SymbolicProgram, IsShown) {
  const planner::ProgramInfo info =
      planner::inspect(planner::write_program(tests::symbolic_rows()));
  EXPECT_TRUE(info.damage.empty());
  const planner::MethodInfo& method = info.methods[0];
  ASSERT_EQ(method.symbols.size(), 2u);
  EXPECT_EQ(method.symbols[0].name, "n");
  EXPECT_EQ(method.symbols[0].least, 1u);
  EXPECT_EQ(method.symbols[1].most, Rows::kColumnsMost);
  ASSERT_TRUE(method.variants[0].symbolic.has_value());
  EXPECT_EQ(method.variants[0].symbolic->expressions, tests::symbolic_rows().expressions.size());
  EXPECT_GT(method.variants[0].symbolic->frame_bytes, 100u);
  EXPECT_THAT(planner::to_text(info), HasSubstr("  symbol k: 1 to 3\n"));
  EXPECT_THAT(planner::to_text(info), HasSubstr(" patches, a frame of "));
  EXPECT_THAT(planner::to_json(info), HasSubstr("\"frame_bytes\""));
  const planner::ProgramInfo other =
      planner::inspect(planner::write_program(tests::fixed_rows({})));
  EXPECT_THAT(planner::to_json(other), Not(HasSubstr("symbol")));
}

TEST(SymbolicProgram, DamagedOnesAreShownAsFarAsTheyCanBe) {
  ProgramTables tables = tests::symbolic_rows();
  tables.symbols[0].name_offset = 1u << 30;
  tables.symbols[1].method = 7;
  tables.symbolic_variants[0].patch_count = kNoIndex;
  const planner::ProgramInfo info = planner::inspect(planner::write_program(tables));
  ASSERT_EQ(info.damage.size(), 1u);
  EXPECT_EQ(info.damage[0].check, "proof");
  EXPECT_EQ(info.methods[0].symbols[0].name, "");
  EXPECT_FALSE(planner::to_text(info).empty());
}

TEST(SymbolicProgram, KeepsItsWordsWhenStripped) {
  const auto file = planner::write_program(two_boards());
  const OpenProgram whole(file);
  const OpenProgram board(planner::strip(file, "board", {}));
  ASSERT_EQ(board->variants().size(), 1u);
  ASSERT_EQ(board->symbolic_variants().size(), 1u);
  EXPECT_EQ(board->symbolic_variants()[0].variant, 0u);
  EXPECT_EQ(board->patches().size(), whole->patches().size());
  for (uint32_t n = 1; n <= Rows::kRowsMost; ++n) {
    const OpenProgram fixed(planner::write_program(tests::fixed_rows({n, 2})));
    const auto expected = outputs(*fixed, 0, n, 2, false);
    EXPECT_EQ(outputs(*board, 0, n, 2, true), expected);
    EXPECT_EQ(outputs(*whole, 1, n, 2, true), expected);
  }
  // Twice is as once.
  const auto once = planner::strip(file, "board", {});
  EXPECT_EQ(planner::strip(once, "board", {}), once);

  const OpenProgram other(planner::strip(file, "other", {}));
  EXPECT_TRUE(other->symbolic_variants().empty());
  EXPECT_TRUE(other->patches().empty());
  EXPECT_EQ(other->header().required_features & format::kDimsFeature, 0u);
  EXPECT_EQ(outputs(*other, 0, Rows::kRowsMost, Rows::kColumnsMost, false),
            outputs(*whole, 0, Rows::kRowsMost, Rows::kColumnsMost, false));
}

TEST(SymbolicProgram, AnInstanceHoldsItsFrame) {
  const auto file = planner::write_program(two_boards());
  EXPECT_EQ(planner::instance_room(file, "board").frame_bytes,
            4 * frame_words(*OpenProgram(file), 1));
  EXPECT_EQ(planner::instance_room(file, "other").frame_bytes, 0u);
  const planner::Board board = planner::find_board("mps2-an386");
  const auto bytes = [&](uint64_t frame) {
    return planner::own_ram(board, 2, 0, {}, {.frame_bytes = frame}).instance_bytes;
  };
  EXPECT_EQ(bytes(100), bytes(0) + 2 * 104);  // instances lie at multiples of 8
}

TEST(SymbolicProgram, IsWatchedAtAnySize) {
  const OpenProgram program(planner::write_program(two_boards()));
  const planner::WatchedProgram watched = planner::watch(*program, 0, 1, {});
  const OpenProgram copy(watched.program);
  ASSERT_EQ(copy->symbolic_variants().size(), 1u);
  for (const bool set : {false, true}) {
    const uint32_t n = set ? 2 : Rows::kRowsMost, k = set ? 1 : Rows::kColumnsMost;
    EXPECT_EQ(outputs(*copy, 0, n, k, set), outputs(*program, 1, n, k, set));
  }
  const planner::WatchedProgram fixed = planner::watch(*program, 0, 0, {});
  EXPECT_TRUE(OpenProgram(fixed.program)->symbolic_variants().empty());
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
