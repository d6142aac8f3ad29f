// The shared planning problems: all parse and plan, and greedy_by_size reaches its known figures.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "planner/memplan/memplan.h"

namespace arenite::memory {
namespace {

namespace fs = std::filesystem;

class SharedProblems : public testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("ARENITE_SHARED");
    root_ = fs::path(folder != nullptr ? folder : ARENITE_SHARED_DIR) / "memplan";
    if (!fs::is_directory(root_)) GTEST_SKIP() << "no shared planning problems in " << root_;
  }

  std::vector<fs::path> problems(const std::string& folder) const {
    std::vector<fs::path> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(root_ / folder)) {
      if (entry.path().extension() == ".csv") found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  static MemplanResult run(const fs::path& problem, const std::string& algorithm) {
    MemplanOptions options;
    options.problem_path = problem.string();
    options.algorithm = algorithm;
    return run_memplan(options);
  }

  fs::path root_;
};

// Height over live bytes, as published for greedy by size; three digits.
TEST_F(SharedProblems, ChallengingHaveThePublishedGreedyHeights) {
  const std::map<char, double> expected = {{'A', 1.311}, {'B', 1.347}, {'C', 1.364}, {'D', 1.334},
                                           {'E', 1.401}, {'F', 1.375}, {'G', 1.332}, {'H', 1.356},
                                           {'I', 1.410}, {'J', 1.348}, {'K', 1.327}};
  const std::vector<fs::path> files = problems("challenging");
  ASSERT_EQ(files.size(), expected.size());
  for (const fs::path& file : files) {
    const MemplanResult result = run(file, "greedy_by_size");
    const double ratio =
        static_cast<double>(result.height) / static_cast<double>(result.lower_bound);
    EXPECT_NEAR(ratio, expected.at(file.filename().string()[0]), 0.0006) << file;
    EXPECT_FALSE(result.optimal) << file;
  }
}

// Four real graphs are known to defeat greedy by size; it meets the bound on the other 44.
TEST_F(SharedProblems, RealMeetTheBoundButForTheKnownFour) {
  const std::map<std::string, std::pair<uint64_t, uint64_t>> above = {
      {"hand_landmark_full", {4315136, 4014080}},        // 4.115 / 3.828 MiB
      {"light_densenet121", {8830976, 8429568}},         // 8.422 / 8.039
      {"mobilenet_v1_0.25_128_quant", {114688, 98304}},  // 0.109 / 0.094
      {"vww_96_int8", {64512, 55296}},                   // 0.062 / 0.053
  };
  const std::vector<fs::path> files = problems("real");
  EXPECT_EQ(files.size(), 48u);
  for (const fs::path& file : files) {
    const MemplanResult result = run(file, "greedy_by_size");
    const auto known = above.find(file.stem().string());
    if (known == above.end()) {
      EXPECT_EQ(result.height, result.lower_bound) << file;
      EXPECT_TRUE(result.optimal) << file;
    } else {
      EXPECT_EQ(result.height, known->second.first) << file;
      EXPECT_EQ(result.lower_bound, known->second.second) << file;
    }
    EXPECT_GE(run(file, "naive").height, result.height) << file;
  }
}

// A row of best.tsv: a problem and a size of the fast memory, the traffic in all, and what of it a
// greedy by size and the ILP leave on the slow memory.
struct PlacementRow {
  std::string line, name;
  uint64_t fast_bytes = 0, total = 0, greedy = 0, ilp = 0;
};

class PlacementProblems : public SharedProblems {
 protected:
  // Calls check(row, result) for each row, planned by `algorithm` with a fast and a slow memory.
  template <typename F>
  void for_rows(const std::string& algorithm, F check) const {
    std::ifstream rows(root_ / "placement" / "best.tsv");
    PlacementRow row;
    std::getline(rows, row.line);
    std::size_t count = 0;
    const fs::path memories =
        fs::path(testing::TempDir()) / ("arenite_memories_" + algorithm + ".json");
    for (; std::getline(rows, row.line); ++count) {
      std::istringstream cells(row.line);
      double fraction = 0;
      ASSERT_TRUE(cells >> row.name >> fraction >> row.fast_bytes >> row.total >> row.greedy >>
                  row.ilp)
          << row.line;
      std::ofstream(memories) << R"({"memories":[{"name":"fast","bytes":)" << row.fast_bytes
                              << R"(},{"name":"slow","bytes":null}]})";
      MemplanOptions options;
      options.problem_path = (root_ / "placement" / (row.name + ".csv")).string();
      options.memories_path = memories.string();
      options.algorithm = algorithm;
      check(row, run_memplan(options));
    }
    EXPECT_EQ(count, 32u);
    fs::remove(memories);
  }
};

// The known greedy's ties go by row; ours go by birth, which differs on person_detect only, and for
// the better.
TEST_F(PlacementProblems, GreedyLeavesNoMoreTrafficOnSlowMemoryThanTheKnownGreedy) {
  for_rows("greedy_by_size", [](const PlacementRow& row, const MemplanResult& result) {
    EXPECT_EQ(result.report.total_traffic_bytes, row.total) << row.line;
    EXPECT_LE(result.report.slow_traffic_bound_bytes, row.ilp) << row.line;
    if (row.name == "person_detect") {
      EXPECT_LE(result.report.slow_traffic_bytes, row.greedy) << row.line;
    } else {
      EXPECT_EQ(result.report.slow_traffic_bytes, row.greedy) << row.line;
    }
  });
}

// The ILP knows live bytes only; ours is packed too, which run_memplan has verified.
TEST_F(PlacementProblems, SearchMeetsTheIlp) {
  for_rows("search", [](const PlacementRow& row, const MemplanResult& result) {
    EXPECT_LE(result.report.slow_traffic_bytes, row.greedy) << row.line;
    EXPECT_LE(static_cast<double>(result.report.slow_traffic_bytes),
              1.001 * static_cast<double>(row.ilp))
        << row.line;
    EXPECT_EQ(result.report.slow_traffic_bound_bytes, result.report.slow_traffic_bytes) << row.line;
  });
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
