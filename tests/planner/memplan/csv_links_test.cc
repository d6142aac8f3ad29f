// Groups and overlaps in CSV: what they become, what is refused at which row, and problems written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planner/memory/problem/verify.h"
#include "planner/memplan/csv.h"
#include "tests/planner/memory/build.h"
#include "tests/planner/memory/random_problem.h"
#include "tests/planner/memory/write_csv.h"
#include "tests/planner/memplan/csv_refusal.h"

namespace arenite::memory {
namespace {

using testing::HasSubstr;

std::vector<Memory> two_memories() {
  return {{.name = "fast", .size_bytes = 1000}, {.name = "slow"}};
}

Problem read_problem(std::string_view text) {
  return read_csv(text, "p.csv", two_memories()).problem();
}

TEST(CsvGroups, KeepTheirDistances) {
  // The whole comes last; its parts are written at its two halves, a view of the second half lies
  // 8 bytes inside it.
  const Problem problem = read_problem(
      "id,lower,upper,size,group,rel_offset\n"
      "top,0,3,32,cat,0\n"
      "bottom,1,3,32,cat,32\n"
      "view,2,6,8,cat,40\n"
      "alone,0,6,100,,\n"
      "whole,3,5,64,cat,\n");
  EXPECT_FALSE(problem.buffers[0].relative);  // the first of the smallest distance
  ASSERT_TRUE(problem.buffers[1].relative);
  EXPECT_EQ(problem.buffers[1].relative->base, 0u);
  EXPECT_EQ(problem.buffers[1].relative->offset_bytes, 32u);
  EXPECT_EQ(problem.buffers[2].relative->offset_bytes, 40u);
  EXPECT_FALSE(problem.buffers[3].relative);
  EXPECT_EQ(problem.buffers[4].relative->offset_bytes, 0u);
  // alone is the largest: 0. The group is 64 bytes, alive throughout.
  EXPECT_EQ(offsets(solved(Algorithm::kGreedyBySize, problem)),
            (std::vector<uint64_t>{100, 132, 140, 0, 100}));
}

TEST(CsvGroups, TheOriginNeedNotBeABuffer) {
  const Problem problem =
      read_problem("id,lower,upper,size,group,rel_offset\nx,0,3,4,g,24\ny,0,3,8,g,16\n");
  EXPECT_FALSE(problem.buffers[1].relative);
  EXPECT_EQ(problem.buffers[0].relative->base, 1u);
  EXPECT_EQ(problem.buffers[0].relative->offset_bytes, 8u);
}

TEST(CsvOverlaps, NameTheOutputAndTheLead) {
  const Problem problem =
      read_problem("id,lower,upper,size,overlaps\nx,0,3,40,y:8 n:1:-16\ny,2,4,40,\nn:1,2,5,40,\n");
  ASSERT_EQ(problem.overlaps.size(), 2u);
  EXPECT_EQ(problem.overlaps[0].input, 0u);
  EXPECT_EQ(problem.overlaps[0].output, 1u);
  EXPECT_EQ(problem.overlaps[0].lead_bytes, 8);
  EXPECT_EQ(problem.overlaps[1].output, 2u);
  EXPECT_EQ(problem.overlaps[1].lead_bytes, -16);
}

class CsvLinksRefuse : public testing::TestWithParam<Refusal> {};

TEST_P(CsvLinksRefuse, WithTheRow) {
  const std::string message = input_error([&] { read_problem(GetParam().text); });
  EXPECT_THAT(message, HasSubstr("p.csv, row "));
  expect_parts(message, GetParam());
}

const std::string kGroups = "id,lower,upper,size,alignment,mem,group,rel_offset\n";
const std::string kOverlaps = "id,lower,upper,size,overlaps\n";

INSTANTIATE_TEST_SUITE_P(
    Csv, CsvLinksRefuse,
    testing::Values(
        Refusal{"GroupAlone", "id,lower,upper,size,group\n", {"row 1", "go together"}},
        Refusal{"OffsetWithoutGroup", kGroups + "x,0,1,8,,,,4\n", {"row 2", "'4' without a group"}},
        Refusal{"NegativeOffset", kGroups + "x,0,1,8,,,g,-4\n", {"row 2", "'-4' is negative"}},
        Refusal{
            "OffsetOverflow", kGroups + "x,0,1,8,,,g,4611686018427387904\n", {"row 2", "overflow"}},
        Refusal{"Misaligned",
                kGroups + "x,0,1,8,16,,g,4\n\ny,0,1,8,16,,g,16\n",
                {"row 4", "'y' needs alignment 16", "12 bytes from 'x' (row 2)"}},
        Refusal{"AlignmentsTooDifferent",
                kGroups + "x,0,1,8,4294967291,,g,\ny,0,1,8,4294967279,,g,\n",
                {"row 3", "no common multiple"}},
        Refusal{"NoCommonMemory",
                kGroups + "x,0,1,8,,fast,g,\ny,0,1,8,,,g,8\nz,0,1,8,,slow,g,16\n",
                {"row 4", "group 'g'", "no memory"}},
        Refusal{"OverlapWithoutLead", kOverlaps + "x,0,1,8,y\n", {"row 2", "OUTPUT_ID:LEAD"}},
        Refusal{"LeadNoNumber", kOverlaps + "x,0,1,8,y:8k\n", {"row 2", "'8k'"}},
        Refusal{"LeadTooLarge",
                kOverlaps + "x,0,1,8,y:4611686018427387905\n",
                {"row 2", "at most 2^61"}},
        Refusal{"OverlapWithNobody", kOverlaps + "x,0,1,8,y:0\n", {"row 2", "no other buffer"}},
        Refusal{"OverlapWithItself", kOverlaps + "x,0,1,8,x:0\n", {"row 2", "no other buffer"}},
        Refusal{
            "OverlapTwice", kOverlaps + "x,0,2,8,y:0 y:4\ny,1,3,8,\n", {"row 2", "second time"}},
        Refusal{"OverlapAtAnotherStep",
                kOverlaps + "a,0,1,8,\nx,0,2,8,y:0\ny,2,3,8,\n",
                {"row 3", "dies at step 1", "born at step 2"}}),
    [](const auto& instance) { return instance.param.name; });

TEST(CsvWrites, AProblemThatReadsBack) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    const Problem problem = random_problem(seed);
    // Groups come back on their roots.
    const std::string text = write_csv(problem);
    const Problem again = read_csv(text, "again.csv", problem.memories).problem();
    ASSERT_EQ(again.buffers.size(), problem.buffers.size());
    ASSERT_EQ(write_csv(again), text) << seed;
    const Outcome plan_of_it = plan(Algorithm::kGreedyBySize, problem);
    const Outcome plan_again = plan(Algorithm::kGreedyBySize, again);
    ASSERT_EQ(plan_of_it.index(), plan_again.index()) << seed;
    if (const auto* solution = std::get_if<Solution>(&plan_again)) {
      EXPECT_FALSE(verify(problem, *solution)) << seed;
    }
  }
}

TEST(CsvWrites, OverlapsGapsAndLastSteps) {
  const std::string text =
      "id,lower,upper,size,alignment,reads,writes,mem,group,rel_offset,gaps,overlaps\n"
      "x,0,6,8,4,3,2,slow;fast,,,1-3 4-5@2:7,y:-4\n"
      "y,5,4294967296,8,1,0,0,,,,,\n"
      "z,5,6,24,1,0,0,,z,0,,\n"
      "part,5,7,8,8,0,0,,z,16,,\n";
  EXPECT_EQ(write_csv(read_problem(text)), text);
}

TEST(CsvWrites, WhatNoCellHoldsIsRefused) {
  for (const char* name : {"", "a,b", "\"", "a\nb", " a", "a\t"}) {
    Problem problem = problem_of(unbounded(), {buffer(1, 0, 0)});
    problem.buffers[0].name = name;
    EXPECT_THAT(input_error([&] { write_csv(problem); }), HasSubstr("no CSV cell"));
  }
  Problem twice = problem_of(unbounded(), {buffer(1, 0, 0), buffer(1, 0, 0)});
  twice.buffers[1].name = "a";
  EXPECT_THAT(input_error([&] { write_csv(twice); }), HasSubstr("named 'a'"));
}

TEST(CsvLinks, AGroupLiesWhereItsBuffersAreFixed) {
  const std::string header = "id,lower,upper,size,group,rel_offset,memory,offset\n";
  const Problem problem =
      read_problem(header + "x,0,1,8,g,16,slow,116\ny,0,1,8,g,0,slow,100\nz,0,1,8,g,8,,\n");
  EXPECT_FALSE(problem.buffers[0].fixed);
  ASSERT_TRUE(problem.buffers[1].fixed);
  EXPECT_EQ(problem.buffers[1].fixed->memory, 1u);
  EXPECT_EQ(problem.buffers[1].fixed->offset, 100u);
  EXPECT_EQ(offsets(solved(Algorithm::kSearch, problem)), (std::vector<uint64_t>{116, 100, 108}));
  EXPECT_THAT(
      input_error([&] { read_problem(header + "x,0,1,8,g,16,slow,116\ny,0,1,8,g,0,slow,104\n"); }),
      testing::AllOf(HasSubstr("row 3"), HasSubstr("offset 104"), HasSubstr("expect 100")));
  EXPECT_THAT(input_error([&] { read_problem(header + "x,0,1,8,g,16,slow,8\ny,0,1,8,g,0,,\n"); }),
              testing::AllOf(HasSubstr("row 2"), HasSubstr("8 bytes before")));
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
