// `arenite memplan --check` as a function: verdicts on solutions that others made.
#include "planner/memplan/memplan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/planner/memory/build.h"

namespace arenite::memory {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class CheckSolution : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "arenite_check_" +
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
    options_.problem_path = file("p.csv", "id,lower,upper,size\nx,0,2,80\ny,1,3,60\nz,2,4,20\n");
  }

  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) const {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  MemplanResult checked(const std::string& solution) const {
    return check_solution(options_, file("s.csv", solution));
  }

  // "row 2: ..." of each fault, without the path.
  std::vector<std::string> faults(const std::string& solution) const {
    const MemplanResult result = checked(solution);
    EXPECT_FALSE(result.verdict->valid);
    EXPECT_FALSE(result.optimal);
    EXPECT_EQ(result.verdict->fault_count, result.verdict->faults.size());
    std::vector<std::string> texts;
    for (const Fault& fault : result.verdict->faults) {
      const std::string text = message(*result.verdict, fault);
      const std::string path = folder_ + "/s.csv";
      EXPECT_THAT(text, testing::StartsWith(path));
      texts.push_back(text.substr(path.size() + 2));
    }
    return texts;
  }

  std::string refusal(const std::string& solution) const {
    return input_error([&] { checked(solution); });
  }

  std::string folder_;
  MemplanOptions options_;
};

TEST_F(CheckSolution, ARightOneHasItsFigures) {
  const MemplanResult result = checked("id,offset\nz,0\nx,0\ny,80\n");
  EXPECT_TRUE(result.verdict->valid);
  EXPECT_EQ(result.height, 140u);
  EXPECT_EQ(result.lower_bound, 140u);
  EXPECT_TRUE(result.optimal);
  EXPECT_EQ(result.report.buffers.at(1).offset, 80u);
  EXPECT_THAT(to_text(result), AllOf(HasSubstr("valid: "), HasSubstr("s.csv places 3 buffers"),
                                     HasSubstr("height 140, lower bound 140, optimal")));
  // One byte above is right and not optimal.
  EXPECT_FALSE(checked("id,offset\nz,0\nx,0\ny,81\n").optimal);
  EXPECT_TRUE(checked("id,offset\nz,0\nx,0\ny,81\n").verdict->valid);
}

TEST_F(CheckSolution, ACollisionNamesBothBuffersWithStepsAndOffsets) {
  const MemplanResult result = checked("id,offset\nx,0\ny,79\nz,0\n");
  ASSERT_EQ(result.verdict->faults.size(), 1u);
  const Fault& fault = result.verdict->faults.front();
  EXPECT_EQ(fault.kind, "overlap");
  EXPECT_EQ(fault.step, 1u);
  EXPECT_EQ(fault.row, 3u);
  EXPECT_EQ(fault.other_row, 2u);
  EXPECT_THAT(message(*result.verdict, fault),
              AllOf(HasSubstr("s.csv, row 3: buffer 'y' in memory 'memory' at [79, 139), live from "
                              "step 1 to 2 overlaps buffer 'x'"),
                    HasSubstr("at [0, 80), live from step 0 to 1 at step 1 (row 2)")));
  EXPECT_FALSE(result.verdict->valid);
  EXPECT_FALSE(result.optimal);
  EXPECT_FALSE(result.report.optimal);
  EXPECT_TRUE(result.verdict->drawable);
  EXPECT_THAT(to_text(result), testing::Not(HasSubstr("in common on purpose")));
  // A height as low as the bound is no proof if the plan is not valid.
  EXPECT_FALSE(checked("id,offset\nx,0\ny,80\nz,90\n").report.optimal);
}

TEST_F(CheckSolution, OddRowsAreNamedAllAtOnce) {
  EXPECT_EQ(
      faults("id,offset\nx,\nq,0\ny,-5\ny,3\n"),
      (std::vector<std::string>{
          "row 2: buffer 'x' has no offset", "row 3: the problem has no buffer with the id 'q'",
          "row 4: buffer 'y': offset '-5' is negative", "row 5: buffer 'y' was placed in row 4",
          "there is no row for buffer 'z' (row 4 of the problem)"}));
  EXPECT_EQ(faults("id,offset\nx,1e3\ny\nz,99999999999999999999\n"),
            (std::vector<std::string>{
                "row 2: buffer 'x': offset '1e3' is not a whole number",
                "row 3: buffer 'y': expected 2 columns as in the header, found 1",
                "row 4: buffer 'z': offset '99999999999999999999' is too large; expected at most "
                "4611686018427387904"}));
  EXPECT_FALSE(checked("id,offset\n").verdict->drawable);
}

TEST_F(CheckSolution, ManyFaultsAreCounted) {
  std::string solution = "id,offset\n";
  for (int i = 0; i < 500; ++i) solution += "q" + std::to_string(i) + ",0\n";
  const MemplanResult result = checked(solution);
  EXPECT_EQ(result.verdict->faults.size(), Verdict::kFaultsMax);
  EXPECT_EQ(result.verdict->fault_count, 503u);
  EXPECT_THAT(to_text(result), HasSubstr("and 487 more\n"));
}

TEST_F(CheckSolution, OtherToolsNamesAndFiguresAreRead) {
  const MemplanResult result =
      checked("buffer_id,start,end,size,offset,tool\nx,0,1,80,0,a\ny,1,2,64,80,b\nz,2,4,20,0,c\n");
  EXPECT_TRUE(result.verdict->valid);
  ASSERT_EQ(result.verdict->notes.size(), 1u);
  EXPECT_EQ(result.verdict->notes.front(),
            "sizes and steps of the problem are what is checked; the solution has others in 2 "
            "cells, the first in row 3, size of 'y': '64', the problem says 60");
  EXPECT_THAT(checked("id,offset\nx,0\ny,80\nz,0\n").verdict->notes, testing::IsEmpty());
}

TEST_F(CheckSolution, ProblemAndSolutionInOneFile) {
  const std::string both =
      file("both.csv", "id,lower,upper,size,offset\nx,0,2,80,0\ny,1,3,60,80\nz,2,4,20,0\n");
  options_.problem_path.clear();
  EXPECT_TRUE(check_solution(options_, both).verdict->valid);
  EXPECT_EQ(check_solution(options_, both).problem_name, "both.csv");
  options_.problem_path = both;
  EXPECT_TRUE(check_solution(options_, both).verdict->valid);
  // A contradiction that would end a problem is a verdict on a solution.
  const std::string wrong =
      file("wrong.csv", "id,lower,upper,size,offset\nx,0,2,80,0\ny,1,3,60,70\nz,2,4,20,0\n");
  options_.problem_path = wrong;
  EXPECT_EQ(check_solution(options_, wrong).verdict->faults.at(0).kind, "overlap");
}

TEST_F(CheckSolution, WhatTheProblemAsksForIsChecked) {
  options_.capacity_bytes = 139;
  EXPECT_THAT(faults("id,offset\nx,0\ny,80\nz,0\n").at(0),
              HasSubstr("row 3: buffer 'y' in memory 'memory' at [80, 140), live from step 1 to 2 "
                        "passes the end of the memory at 139"));
  options_.capacity_bytes.reset();
  options_.problem_path =
      file("f.csv", "id,lower,upper,size,alignment,offset\nx,0,2,80,16,8\ny,1,3,60,16,\n");
  EXPECT_THAT(input_error([this] { checked("id,offset\nx,8\ny,96\n"); }), HasSubstr("alignment"));
  options_.problem_path =
      file("g.csv", "id,lower,upper,size,alignment,offset\nx,0,2,80,8,8\ny,1,3,60,16,\n");
  EXPECT_THAT(faults("id,offset\nx,0\ny,96\n").at(0),
              HasSubstr("fixed in memory 'memory' at offset 8 but was placed in memory 'memory' at "
                        "offset 0"));
  EXPECT_THAT(faults("id,offset\nx,8\ny,90\n").at(0), HasSubstr("not aligned to its own 16"));
}

TEST_F(CheckSolution, SeveralMemoriesNeedTheirNames) {
  options_.memories_path =
      file("m.json", R"({"memories":[{"name":"fast","bytes":100},{"name":"slow","bytes":1000}]})");
  const MemplanResult result = checked("id,memory,offset\nx,fast,0\ny,slow,0\nz,fast,0\n");
  EXPECT_TRUE(result.verdict->valid);
  EXPECT_THAT(to_text(result), HasSubstr("places 3 buffers, traffic: "));
  EXPECT_EQ(faults("id,memory,offset\nx,fsat,0\ny,,0\nz,slow,0\n"),
            (std::vector<std::string>{
                "row 2: buffer 'x' is in memory 'fsat'; the memories are: fast, slow",
                "row 3: buffer 'y' has no memory"}));
  EXPECT_THAT(refusal("id,offset\nx,0\ny,0\nz,0\n"), HasSubstr("column 'memory' is missing"));
}

TEST_F(CheckSolution, WhatIsNoSolution) {
  EXPECT_THAT(refusal("id,lower\nx,0\n"),
              AllOf(HasSubstr("s.csv, row 1"), HasSubstr("column 'offset' is missing")));
  EXPECT_THAT(refusal("0,1\n"), HasSubstr("expected a header"));
  EXPECT_THAT(refusal(""), HasSubstr("an empty file"));
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
