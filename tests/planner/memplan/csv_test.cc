// Planning problems from CSV: what is read, what is refused at which row, and solutions written.
#include "planner/memplan/csv.h"
#include "planner/memplan/csv_solution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/planner/memory/build.h"
#include "tests/planner/memory/write_csv.h"
#include "tests/planner/memplan/csv_refusal.h"

namespace arenite::memory {
namespace {

using testing::HasSubstr;

std::vector<Memory> fast_and_slow() {
  return {{.name = "fast", .size_bytes = 100}, {.name = "slow"}};
}

CsvProblem read(std::string_view text) { return read_csv(text, "p.csv", fast_and_slow()); }

TEST(Csv, ReadsTheFourColumns) {
  const Problem problem = read("id,lower,upper,size\nx,0,3,4\n7,3,9,0\n").problem();
  ASSERT_EQ(problem.buffers.size(), 2u);
  EXPECT_EQ(problem.buffers[0].name, "x");
  EXPECT_EQ(problem.buffers[0].lifetime.first, 0u);
  EXPECT_EQ(problem.buffers[0].lifetime.last, 2u);
  EXPECT_EQ(problem.buffers[0].size_bytes, 4u);
  EXPECT_EQ(problem.buffers[0].alignment, 1u);
  EXPECT_EQ(problem.buffers[1].name, "7");
  EXPECT_EQ(problem.memories.size(), 2u);
}

TEST(Csv, ReadsAllColumnsInAnyOrder) {
  const Problem problem =
      read(
          "size,mem,writes,reads,gaps,hint,alignment,upper,lower,id,offset,memory\n"
          "64,slow;fast,2,3,11-12 14-16@0:8,-1,16,20,10,x,0,fast\n"
          "8,,,,,,,2,1,y,,\n")
          .problem();
  const Buffer& x = problem.buffers[0];
  EXPECT_EQ(x.allowed, (std::vector<uint32_t>{1, 0}));
  EXPECT_EQ(x.writes, 2u);
  EXPECT_EQ(x.reads, 3u);
  EXPECT_EQ(x.alignment, 16u);
  EXPECT_EQ(x.lifetime.first, 10u);
  EXPECT_EQ(x.lifetime.last, 19u);
  ASSERT_EQ(x.gaps.size(), 2u);
  EXPECT_EQ(x.gaps[0].steps.first, 11u);
  EXPECT_EQ(x.gaps[0].steps.last, 11u);  // half open as upper is
  EXPECT_EQ(x.gaps[1].steps.last, 15u);
  EXPECT_FALSE(x.gaps[0].in_use);
  ASSERT_TRUE(x.gaps[1].in_use);
  EXPECT_EQ(x.gaps[1].in_use->begin, 0u);
  EXPECT_EQ(x.gaps[1].in_use->end, 8u);
  ASSERT_TRUE(x.fixed);
  EXPECT_EQ(x.fixed->memory, 0u);
  EXPECT_EQ(x.fixed->offset, 0u);
  const Buffer& y = problem.buffers[1];
  EXPECT_TRUE(y.allowed.empty());
  EXPECT_FALSE(y.fixed);  // an empty cell: free
  EXPECT_EQ(y.alignment, 1u);
  EXPECT_EQ(y.reads + y.writes, 0u);
}

TEST(Csv, AMemoryAloneLeavesTheOffsetFree) {
  const Problem problem =
      read("id,lower,upper,size,mem,memory\nx,0,1,4,fast;slow,slow\n").problem();
  EXPECT_EQ(problem.buffers[0].allowed, (std::vector<uint32_t>{1}));
  EXPECT_FALSE(problem.buffers[0].fixed);
}

TEST(Csv, EndIsInclusive) {
  const Problem problem =
      read("id,lower,end,size,gaps\nx,3,3,4,\ny,0,4294967295,4,1-1\n").problem();
  EXPECT_EQ(problem.buffers[0].lifetime.first, 3u);
  EXPECT_EQ(problem.buffers[0].lifetime.last, 3u);
  EXPECT_EQ(problem.buffers[1].lifetime.last, UINT32_MAX);
  EXPECT_EQ(problem.buffers[1].gaps[0].steps.last, 1u);
}

TEST(Csv, ForgivesLineEndsBlanksAndAByteOrderMark) {
  const Problem problem =
      read("\xEF\xBB\xBFid , lower,upper,size\r\n\r\n x ,0 ,4294967296, 4\r\n\n").problem();
  ASSERT_EQ(problem.buffers.size(), 1u);
  EXPECT_EQ(problem.buffers[0].name, "x");
  EXPECT_EQ(problem.buffers[0].lifetime.last, UINT32_MAX);
  EXPECT_TRUE(read("id,lower,upper,size").problem().buffers.empty());
}

class CsvRefuses : public testing::TestWithParam<Refusal> {};

TEST_P(CsvRefuses, WithTheRow) {
  const std::string message = input_error([&] { read(GetParam().text); });
  EXPECT_THAT(message, HasSubstr("p.csv"));
  expect_parts(message, GetParam());
}

const std::string kHeader = "id,lower,upper,size\n";

INSTANTIATE_TEST_SUITE_P(
    Csv, CsvRefuses,
    testing::Values(
        Refusal{"Nothing", "", {"no header"}},
        Refusal{"BlankLinesOnly", "\n\n", {"row 2", "no header"}},
        Refusal{"EmptyColumnName", "id,lower,upper,size,\n", {"row 1", "column 5 has no name"}},
        Refusal{
            "UnknownColumnTwice", "id,lower,upper,size,op,op\n", {"row 1", "'op' appears twice"}},
        Refusal{"ColumnByTwoNames",
                "id,lower,start,upper,size\n",
                {"row 1", "columns 'lower' and 'start' are the same"}},
        Refusal{"ColumnTwice", "id,lower,upper,size,id\n", {"row 1", "'id' appears twice"}},
        Refusal{"NoSize", "id,lower,upper\n", {"row 1", "'size' is missing"}},
        Refusal{"NoUpper", "id,lower,size\n", {"row 1", "'upper'", "missing"}},
        Refusal{"UpperAndEnd", "id,lower,upper,end,size\n", {"row 1", "exclude"}},
        Refusal{"TooFewCells", kHeader + "x,0,1\n", {"row 2", "expected 4 columns", "found 3"}},
        Refusal{"TooManyCells", kHeader + "x,0,1,1\ny,0,1,1,1\n", {"row 3", "found 5"}},
        Refusal{"RowsCountBlankLines", kHeader + "\nx,0,1\n", {"row 3"}},
        Refusal{"ZeroLength", kHeader + "x,5,5,8\n", {"row 2", "no length", "from 5 to 5"}},
        Refusal{"BackInTime", kHeader + "x,5,4,8\n", {"row 2", "ends before it begins"}},
        Refusal{"EndBeforeLower", "id,lower,end,size\nx,5,4,8\n", {"row 2", "no length"}},
        Refusal{"NegativeSize", kHeader + "x,0,1,-8\n", {"row 2", "size '-8' is negative"}},
        Refusal{"NegativeStep", kHeader + "x,-1,1,8\n", {"row 2", "lower '-1' is negative"}},
        Refusal{"SizeOverflow", kHeader + "x,0,1,18446744073709551616\n", {"row 2", "too large"}},
        Refusal{"SizeTooLarge", kHeader + "x,0,1,9223372036854775808\n", {"row 2", "too large"}},
        Refusal{"SumOverflow",
                kHeader + "x,0,1,4611686018427387000\ny,0,1,4611686018427387000\n",
                {"row 3", "overflow"}},
        Refusal{"StepOverflow", kHeader + "x,0,4294967297,8\n", {"row 2", "too large"}},
        Refusal{"TrafficOverflow",
                "id,lower,upper,size,reads,writes\nx,0,1,4611686018427387,999999,999999\n",
                {"row 2", "reads + writes", "overflow"}},
        Refusal{"NotANumber", kHeader + "x,0,1,8k\n", {"row 2", "size '8k'", "whole number"}},
        Refusal{"Fraction", kHeader + "x,0,1,8.5\n", {"row 2", "whole number"}},
        Refusal{"PlusSign", kHeader + "x,0,1,+8\n", {"row 2", "whole number"}},
        Refusal{"EmptySize", kHeader + "x,0,1,\n", {"row 2", "size ''", "whole number"}},
        Refusal{"DuplicateId",
                kHeader + "x,0,1,8\ny,0,1,8\nx,2,3,8\n",
                {"row 4", "'x'", "used in row 2"}},
        Refusal{"EmptyId", kHeader + ",0,1,8\n", {"row 2", "id is empty"}},
        Refusal{"QuoteWithoutEnd", kHeader + "\"x,0,1,8\n", {"row 2", "does not end"}},
        Refusal{"AfterTheQuote", kHeader + "\"x\"y,0,1,8\n", {"row 2", "'y'", "comma"}},
        Refusal{"OffsetOfNoMemory",
                "id,lower,upper,size,offset\nx,0,1,8,4\n",
                {"row 2", "offset '4' without a memory"}},
        Refusal{"NegativeOffset",
                "id,lower,upper,size,memory,offset\nx,0,1,8,fast,-1\n",
                {"row 2", "offset '-1' is negative"}},
        Refusal{"PlacedWhereItMayNotBe",
                "id,lower,upper,size,mem,memory\nx,0,1,8,fast,slow\n",
                {"row 2", "'slow'", "'fast'"}},
        Refusal{"PlacedOnEachOther",
                "id,lower,upper,size,memory,offset\nx,0,1,8,fast,0\ny,0,1,8,fast,7\n",
                {"'x' and 'y' overlap", "'fast'"}},
        Refusal{"PlacedBeyondTheEnd",
                "id,lower,upper,size,memory,offset\nx,0,1,8,fast,96\n",
                {"'x'", "passes the end of memory 'fast' at 100"}},
        Refusal{"AlignmentZero",
                "id,lower,upper,size,alignment\nx,0,1,8,0\n",
                {"row 2", "alignment 0"}},
        Refusal{"UnknownMemory",
                "id,lower,upper,size,mem\nx,0,1,8,fast;dtcm\n",
                {"row 2", "'dtcm'", "fast, slow"}},
        Refusal{"GapWithoutDash", "id,lower,upper,size,gaps\nx,0,9,8,3\n", {"row 2", "FROM-TO"}},
        Refusal{"GapOutside", "id,lower,upper,size,gaps\nx,0,9,8,3-10\n", {"row 2", "lifetime"}},
        Refusal{"GapEmpty", "id,lower,upper,size,gaps\nx,0,9,8,3-3\n", {"row 2", "no length"}},
        Refusal{
            "GapOfAWindowOnly", "id,lower,upper,size,gaps\nx,0,9,8,@1:2\n", {"row 2", "FROM-TO"}},
        Refusal{"GapsInCommon",
                "id,lower,upper,size,gaps\nx,0,9,8,3-5 4-6\n",
                {"row 2", "'4-6'", "in common"}},
        Refusal{"WindowOfOneNumber",
                "id,lower,upper,size,gaps\nx,0,9,8,3-5@4\n",
                {"row 2", "'3-5@4'", "BEGIN:END"}},
        Refusal{"WindowWithoutBytes",
                "id,lower,upper,size,gaps\nx,0,9,8,3-5@4:4\n",
                {"row 2", "'4:4'", "BEGIN below END"}},
        Refusal{"WindowBeyondTheSize",
                "id,lower,upper,size,gaps\nx,0,9,8,3-5@4:9\n",
                {"row 2", "END at most the size, 8"}},
        Refusal{"BinaryFile",
                std::string("\x7F"
                            "ELF\0\0\1",
                            7),
                {"row 1", "expected a header with the names of the columns"}}),
    [](const auto& instance) { return instance.param.name; });

TEST(Csv, KnowsOtherNamesOfColumnsAndWritesOurs) {
  const CsvProblem input = read("buffer_id,start,end,size\nx,3,5,4\n");
  EXPECT_EQ(input.problem().buffers[0].lifetime.first, 3u);
  EXPECT_EQ(input.problem().buffers[0].lifetime.last, 5u);
  EXPECT_TRUE(input.unknown_columns.empty());
  EXPECT_EQ(write_csv(input, {{{0, 8}}}, false), "id,lower,end,size,offset\nx,3,5,4,8\n");
  EXPECT_EQ(read("buffer,begin,upper,size\nx,3,5,4\n").problem().buffers[0].lifetime.last, 4u);
}

TEST(Csv, CarriesUnknownColumnsAndQuotesAlong) {
  const CsvProblem input =
      read("id,lower,upper,size,op,shape\n\"x, \"\"y\"\"\",0,1,4,conv, \"(1, 3)\" \nz,0,1,4,,\n");
  EXPECT_EQ(input.problem().buffers[0].name, "x, \"y\"");
  EXPECT_EQ(input.unknown_columns, (std::vector<std::string>{"op", "shape"}));
  EXPECT_EQ(write_csv(input, {{{0, 0}, {0, 4}}}, false),
            "id,lower,upper,size,op,shape,offset\n\"x, \"\"y\"\"\",0,1,4,conv,\"(1, 3)\",0\n"
            "z,0,1,4,,,4\n");
}

TEST(Csv, WritesTheInputThenTheSolution) {
  const CsvProblem input = read("size,id,hint,lower,upper\n4,x,9,0,1\n8,y,,0,1\n");
  const Solution solution = {{{1, 16}, {0, 0}}};
  EXPECT_EQ(write_csv(input, solution, false),
            "size,id,hint,lower,upper,offset\n4,x,9,0,1,16\n8,y,,0,1,0\n");
  EXPECT_EQ(write_csv(input, solution, true),
            "size,id,hint,lower,upper,memory,offset\n4,x,9,0,1,slow,16\n8,y,,0,1,fast,0\n");
}

TEST(Csv, ASolutionReadsBackAndIsReplaced) {
  const Solution solution = {{{1, 16}}};
  const std::string first =
      write_csv(read("id,offset,lower,upper,size\nx,,0,1,4\n"), solution, true);
  EXPECT_EQ(first, "id,lower,upper,size,memory,offset\nx,0,1,4,slow,16\n");
  EXPECT_EQ(write_csv(read(first), solution, true), first);
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
