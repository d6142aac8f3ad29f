// Statements about plans that do not fit hold: sizes that would do do, proofs are not contradicted.
#include <gtest/gtest.h>

#include <random>

#include "planner/fit/fit.h"
#include "planner/plan.h"
#include "tests/planner/plan/plain_board.h"
#include "tests/planner/plan/random_graph.h"

namespace arenite::test {
namespace {

using planner::Board;
using planner::PlanOptions;
using planner::PlanReport;
using planner::Shortage;

// Shortages of the graph on the board; none: it fits.
std::vector<Shortage> shortages(const Graph& graph, const Board& board,
                                PlanReport* report = nullptr) {
  PlanOptions options;
  options.boards = {board};
  try {
    const PlanReport found = planner::plan_graphs({{"main", graph, {}}}, options).report;
    if (report != nullptr) *report = found;
    return {};
  } catch (const planner::DoesNotFitError& error) {
    if (report != nullptr) *report = error.report;
    return error.report.shortages;
  }
}

// Up to three memories that hold about as much as the graph needs, or less.
Board random_board(std::mt19937& random, uint64_t needed_bytes) {
  Board board = plain_board("mps3-an547");
  board.program_memories.clear();
  board.memories.resize(1 + random() % 3);
  uint64_t base = 0x20000000;
  for (planner::BoardMemory& memory : board.memories) {
    const uint64_t share = needed_bytes * (1 + random() % 12) / 10 / board.memories.size();
    memory.memory.size_bytes = std::max<uint64_t>(share + random() % 40, 16);
    memory.memory.base = base;
    memory.memory.alignment = uint32_t{8} << random() % 3;
    base += 1u << 24;
  }
  return board;
}

memory::Memory& memory_of(Board& board, const std::string& name) {
  for (planner::BoardMemory& memory : board.memories) {
    if (memory.memory.name == name) return memory.memory;
  }
  ADD_FAILURE() << "no memory " << name;
  return board.memories[0].memory;
}

TEST(Misfit, WhatWouldDoDoesAndWhatIsImpossibleIsNot) {
  std::mt19937 random(7);
  size_t misfits = 0, proved = 0, several = 0;
  for (uint32_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Graph graph = random_graph(seed);
    PlanReport report;
    Board plenty = plain_board("mps3-an547");
    plenty.memories.resize(1);
    ASSERT_TRUE(shortages(graph, plenty, &report).empty());
    const uint64_t needed = report.variants[0].memories.peak_sum_bytes;
    if (needed == 0) continue;
    Board board = random_board(random, needed);
    const std::vector<Shortage> found = shortages(graph, board, &report);
    if (found.empty()) continue;
    ++misfits;
    several += board.memories.size() > 1;
    ASSERT_EQ(found.size(), 1u);
    const Shortage& shortage = found[0];
    // The report's places of the tensors agree with its shortage.
    for (const memory::MemoryUse& use : report.variants[0].memories.memories) {
      if (use.name != shortage.memory) {
        EXPECT_EQ(use.short_bytes(), 0u) << use.name;
      } else {
        EXPECT_GT(use.peak_bytes, use.size_bytes);
        EXPECT_LE(use.peak_bytes, shortage.needed_bytes);
      }
    }
    EXPECT_EQ(shortage.short_bytes, shortage.needed_bytes - shortage.memory_bytes);
    EXPECT_FALSE(shortage.tensors.empty());
    // The size that would do.
    ASSERT_TRUE(shortage.least_is_known);
    Board enough = board;
    memory_of(enough, shortage.memory).size_bytes = shortage.least_bytes;
    EXPECT_TRUE(shortages(graph, enough).empty()) << shortage.text;
    // A size that is proved too small is too small, whichever algorithm tries.
    if (!shortage.impossible) continue;
    ++proved;
    Board less = board;
    // Two ways to lay the steps out may be short of two memories: no one size is proved then.
    if (shortage.floor_bytes != 0) {
      EXPECT_GT(shortage.floor_bytes, shortage.memory_bytes);
      memory_of(less, shortage.memory).size_bytes = shortage.floor_bytes - 1;
    }
    for (const memory::Algorithm algorithm :
         {memory::Algorithm::kNaive, memory::Algorithm::kGreedyFirstFit,
          memory::Algorithm::kGreedyBySize, memory::Algorithm::kPortfolio,
          memory::Algorithm::kSearch}) {
      PlanOptions options;
      options.boards = {less};
      options.memory_planner = algorithm;
      EXPECT_THROW(planner::plan_graphs({{"main", graph, {}}}, options), planner::DoesNotFitError)
          << shortage.text;
    }
  }
  EXPECT_GT(misfits, 40u);
  EXPECT_GT(proved, 20u);
  EXPECT_GT(several, 20u);
}

TEST(Misfit, EveryBoardThatIsTooSmallIsTold) {
  const Graph graph = random_graph(3);
  PlanOptions options;
  for (const char* name : {"mps3-an547", "mps2-an386"}) {
    options.boards.push_back(planner::find_board(name));
    for (planner::BoardMemory& memory : options.boards.back().memories) {
      memory.memory.size_bytes = 16;
    }
  }
  try {
    planner::plan_graphs({{"main", graph, {}}}, options);
    FAIL();
  } catch (const planner::DoesNotFitError& error) {
    ASSERT_EQ(error.report.shortages.size(), 2u);
    EXPECT_EQ(error.report.shortages[0].board, "mps3-an547");
    EXPECT_EQ(error.report.shortages[1].board, "mps2-an386");
    EXPECT_NE(std::string(error.what()).find("board mps2-an386"), std::string::npos);
  }
}

TEST(Misfit, ABoardThatFitsSaysWhatItsProgramMemoriesHold) {
  PlanOptions options;
  options.boards = {planner::find_board("mps2-an386")};
  const auto result = planner::plan_graphs({{"main", random_graph(3), {}}}, options);
  ASSERT_EQ(result.report.program_memories.size(), 3u);
  EXPECT_EQ(result.report.program_memories[0].program_bytes, result.program.size());
  EXPECT_EQ(result.report.program_memories[0].reserved_bytes, 0u);
  EXPECT_TRUE(result.report.program_memories[1].holds_code);
  EXPECT_EQ(result.report.program_memories[1].program_bytes, 0u);
  EXPECT_EQ(result.report.program_memories[2].used_bytes(), result.program.size() + 256 * 1024);
  options.image = "harness";
  const auto harness = planner::plan_graphs({{"main", random_graph(3), {}}}, options);
  ASSERT_EQ(harness.report.program_memories.size(), 1u);
  EXPECT_EQ(harness.report.program_memories[0].name, "store");
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
