// `arenite memplan` as a function: files in, figures and a solution out.
#include "planner/memplan/memplan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "tests/planner/memory/build.h"

namespace arenite::memory {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Memplan : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "arenite_memplan_" +
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
    options_.problem_path = file("p.csv",
                                 "id,lower,upper,size,reads,writes\n"
                                 "x,0,2,80,1,1\ny,1,3,60,2,1\nz,2,4,20,1,0\n");
  }

  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) const {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  std::string refusal() const {
    return input_error([this] { run_memplan(options_); });
  }

  std::string folder_;
  MemplanOptions options_;
};

TEST_F(Memplan, MinimizesTheHeightWithoutCapacity) {
  options_.algorithm = "greedy_by_size";
  options_.time_limit_seconds = 1;
  const MemplanResult result = run_memplan(options_);
  // x 0-80, y 80-140, z meets y only: the gap 0-80 holds it.
  EXPECT_EQ(result.algorithm, "greedy_by_size");
  EXPECT_EQ(result.height, 140u);
  EXPECT_EQ(result.lower_bound, 140u);
  EXPECT_TRUE(result.optimal);
  EXPECT_GE(result.seconds, 0);
  EXPECT_FALSE(result.has_memories);
  EXPECT_EQ(result.solution_csv,
            "id,lower,upper,size,reads,writes,offset\n"
            "x,0,2,80,1,1,0\ny,1,3,60,2,1,80\nz,2,4,20,1,0,0\n");
  EXPECT_THAT(to_text(result), HasSubstr("greedy_by_size: height 140, lower bound 140, optimal"));
}

TEST_F(Memplan, NaiveIsNotOptimalHere) {
  options_.algorithm = "naive";
  const MemplanResult result = run_memplan(options_);
  EXPECT_EQ(result.algorithm, "naive");
  EXPECT_EQ(result.height, 160u);
  EXPECT_FALSE(result.optimal);
}

TEST_F(Memplan, CapacityIsKeptOrTheShortfallTold) {
  options_.capacity_bytes = 140;
  EXPECT_FALSE(run_memplan(options_).does_not_fit);
  options_.capacity_bytes = 139;
  const MemplanResult result = run_memplan(options_);
  ASSERT_TRUE(result.does_not_fit);
  EXPECT_EQ(result.does_not_fit->short_bytes, 1u);
  EXPECT_TRUE(result.does_not_fit->proven);
  EXPECT_FALSE(result.optimal);
  EXPECT_EQ(result.lower_bound, 140u);
  EXPECT_EQ(result.solution_csv, "");
  EXPECT_THAT(to_text(result), HasSubstr("does not fit: memory 'memory' of 139 bytes"));
}

TEST_F(Memplan, MemoriesGiveTrafficAndNames) {
  options_.memories_path =
      file("m.json", R"({"memories":[{"name":"fast","bytes":100},{"name":"slow","bytes":1000}]})");
  options_.algorithm = "greedy_by_size";
  const MemplanResult result = run_memplan(options_);
  // x to fast, y (which meets x) to slow, z after x died to fast.
  EXPECT_TRUE(result.has_memories);
  EXPECT_EQ(result.report.total_traffic_bytes, 80u * 2 + 60 * 3 + 20);
  EXPECT_EQ(result.report.slow_traffic_bytes, 180u);
  EXPECT_EQ(result.report.memories.at(0).name, "fast");
  EXPECT_EQ(result.report.memories.at(0).peak_bytes, 80u);
  EXPECT_EQ(result.report.memories.at(1).peak_bytes, 60u);
  EXPECT_EQ(result.height, 140u);
  EXPECT_EQ(result.lower_bound, 140u);
  EXPECT_FALSE(result.optimal);  // the height is, but nothing proves the slow traffic least
  EXPECT_EQ(result.solution_csv,
            "id,lower,upper,size,reads,writes,memory,offset\n"
            "x,0,2,80,1,1,fast,0\ny,1,3,60,2,1,slow,0\nz,2,4,20,1,0,fast,0\n");
  EXPECT_EQ(result.report.slow_traffic_bound_bytes, 160u);  // y in fast in place of x
  EXPECT_THAT(to_text(result),
              HasSubstr("greedy_by_size: traffic: 180 of 360 bytes outside fast, lower bound 160, "
                        "not proved least, 20 bytes above it"));
}

TEST_F(Memplan, AnEmptyProblemIsOptimal) {
  options_.problem_path = file("empty.csv", "id,lower,upper,size\n");
  const MemplanResult result = run_memplan(options_);
  EXPECT_EQ(result.height, 0u);
  EXPECT_TRUE(result.optimal);
}

TEST_F(Memplan, BadOptions) {
  options_.algorithm = "quick";
  EXPECT_THAT(refusal(),
              AllOf(HasSubstr("'quick'"), HasSubstr("naive, greedy_first_fit, greedy_by_size")));
  options_.algorithm = "naive";
  options_.time_limit_seconds = 0;
  EXPECT_THAT(refusal(), HasSubstr("--time-limit"));
  options_.time_limit_seconds = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(refusal(), HasSubstr("--time-limit"));
  options_.time_limit_seconds.reset();
  options_.capacity_bytes = UINT64_MAX;
  EXPECT_THAT(refusal(), HasSubstr("--capacity"));
  options_.capacity_bytes = 5;
  options_.memories_path = "m.json";
  EXPECT_THAT(refusal(), AllOf(HasSubstr("--capacity"), HasSubstr("--memories")));
}

TEST_F(Memplan, BadFiles) {
  const std::string good = options_.problem_path;
  options_.problem_path = folder_ + "/absent.csv";
  EXPECT_THAT(refusal(), AllOf(HasSubstr("absent.csv"), HasSubstr("No such file")));
  options_.problem_path = folder_;
  EXPECT_THAT(refusal(), HasSubstr(folder_));
  options_.problem_path = file("empty.csv", "");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("empty.csv"), HasSubstr("an empty file")));
  options_.problem_path = good;
  options_.memories_path = file("m.json", "{");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("m.json"), HasSubstr("not JSON")));
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
