// Damaged problem and memory files end in a plan that verifies or in an InputError, never
// otherwise.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "planner/memory/problem/verify.h"
#include "planner/memplan/csv.h"
#include "planner/memplan/csv_solution.h"
#include "planner/memplan/json_input.h"
#include "tests/planner/memory/build.h"
#include "tests/planner/memory/write_csv.h"

namespace arenite::memory {
namespace {

constexpr int kFiles = 10000;

constexpr std::string_view kCsv =
    "id,lower,upper,size,alignment,mem,gaps,reads,writes\n"
    "a,0,3,100,16,fast;slow,1-2,1,2\n"
    "b,1,9,64,1,,,0,1\n"
    "c,2,5,7,8,slow,3-4@0:2,4,4\n"
    "d,4294967290,4294967296,46116860184273,1,,,0,0\n";

constexpr std::string_view kJson =
    R"({"memories":[{"name":"fast","bytes":128,"alignment":16,"read_cost":1,"base":64},)"
    R"({"name":"slow","bytes":null,"write_cost":2.5}]})";

// A few bytes replaced, doubled or dropped, mostly by characters that mean something.
std::string damaged(std::string_view text, std::mt19937& random) {
  constexpr std::string_view kMeaningful = ",;-@:\n\r \"{}[]0123456789-.eabxnull\0\xFF";
  std::string result(text);
  const std::size_t changes = 1 + random() % 2;
  for (std::size_t i = 0; i < changes; ++i) {
    const std::size_t at = random() % result.size();
    switch (random() % 4) {
      case 0:
        result.erase(at, 1 + random() % 8);
        break;
      case 1:
        result.insert(at, result.substr(random() % result.size(), random() % 40));
        break;
      default:
        result[at] = kMeaningful[random() % kMeaningful.size()];
    }
    if (result.empty()) return result;
  }
  return result;
}

TEST(MutatedFiles, Csv) {
  const std::vector<Memory> memories = {{.name = "fast", .size_bytes = 128, .alignment = 16},
                                        {.name = "slow"}};
  std::mt19937 random(4);
  int planned = 0;
  for (int i = 0; i < kFiles; ++i) {
    const std::string text = damaged(kCsv, random);
    SCOPED_TRACE(text);
    std::optional<CsvProblem> input;
    try {
      input = read_csv(text, "p.csv", memories);
    } catch (const InputError& error) {
      ASSERT_EQ(std::string_view(error.what()).substr(0, 5), "p.csv");
      continue;
    }
    for (const std::string_view name : algorithm_names()) {
      const Outcome outcome = plan(*find_algorithm(name), input->problem());
      const auto* solution = std::get_if<Solution>(&outcome);
      if (solution == nullptr) continue;
      ++planned;
      const std::optional<Finding> finding = verify(input->problem(), *solution);
      ASSERT_FALSE(finding) << finding->message;
      ASSERT_NO_THROW(read_csv(write_csv(*input, *solution, true), "s.csv", memories));
    }
  }
  EXPECT_GT(planned, kFiles / 20);
}

TEST(MutatedFiles, Json) {
  std::mt19937 random(5);
  int read = 0;
  for (int i = 0; i < kFiles; ++i) {
    const std::string text = damaged(kJson, random);
    SCOPED_TRACE(text);
    try {
      ASSERT_FALSE(read_memories(text, "m.json").empty());
      ++read;
    } catch (const InputError& error) {
      ASSERT_EQ(std::string_view(error.what()).substr(0, 6), "m.json");
    }
  }
  EXPECT_GT(read, kFiles / 100);
}

TEST(MutatedFiles, VerifierTakesAnyProblemAndPlan) {
  // Neither comes from a planner here: indices, sizes, offsets and ties are arbitrary.
  std::mt19937_64 random(6);
  constexpr std::array<uint64_t, 8> kValues = {0,         1, 2, 3, 64, UINT32_MAX, UINT64_MAX / 2,
                                               UINT64_MAX};
  const auto wide = [&] { return kValues[random() % kValues.size()]; };
  const auto narrow = [&] { return static_cast<uint32_t>(wide()); };
  const auto few = [&] { return static_cast<uint32_t>(random() % 6); };
  for (int i = 0; i < kFiles; ++i) {
    Problem problem;
    Solution solution;
    for (uint32_t m = few(); m > 0; --m) problem.memories.push_back({"m", wide(), wide(), few()});
    for (uint32_t b = few(); b > 0; --b) {
      Buffer made = buffer(wide(), few(), narrow());
      made.alignment = few();
      if (few() == 0) made.allowed = {narrow(), few()};
      if (few() == 0) made.fixed = Placement{few(), wide()};
      if (few() < 2) made.relative = Relative{few(), wide()};
      problem.buffers.push_back(made);
    }
    for (uint32_t p = few(); p > 0; --p) solution.placements.push_back({few(), wide()});
    const std::optional<Finding> finding = verify(problem, solution);
    if (finding) {
      ASSERT_FALSE(finding->message.empty());
    }
    input_error([&] { plan(Algorithm::kGreedyBySize, problem); });
  }
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
