// Constraints files: what they become, and what is wrong with them at which entry.
#include "planner/memplan/constraints.h"
#include "planner/memplan/json_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/planner/memory/build.h"

namespace arenite::memory {
namespace {

using testing::HasSubstr;
using Offsets = std::vector<uint64_t>;

// a 0-1, b 1-2, c 2-3, d 4-5, and v, a view of the last 16 bytes of c.
Problem five() {
  Problem problem = problem_of(
      {{.name = "fast", .size_bytes = 1000}, {.name = "slow"}},
      {buffer(100, 0, 1), buffer(60, 1, 2), buffer(40, 2, 3), buffer(80, 4, 5), buffer(16, 3, 3)});
  problem.buffers[4].name = "v";
  problem.buffers[4].relative = Relative{2, 24};
  return problem;
}

Problem constrained(Problem problem, const std::string& entries) {
  const Constraints constraints =
      read_constraints("{\"constraints\": [" + entries + "]}", "c.json");
  apply_constraints(
      constraints, [&problem](const std::string& name) { return buffer_named(problem, name); },
      problem);
  return check(std::move(problem), constraints.file_name).problem();
}

Offsets planned(const std::string& entries) {
  return offsets(solved(Algorithm::kGreedyBySize, constrained(five(), entries)));
}

TEST(Constraints, BarATensorFromMemories) {
  const Problem problem = constrained(five(), R"({"tensor": "a", "not_in": ["fast"]})");
  EXPECT_EQ(problem.buffers[0].allowed, (std::vector<uint32_t>{1}));
  EXPECT_EQ(memories(solved(Algorithm::kGreedyBySize, problem)),
            (std::vector<uint32_t>{1, 0, 0, 0, 0}));
}

TEST(Constraints, PinATensorToAMemoryOrAnOffset) {
  EXPECT_EQ(constrained(five(), R"({"tensor": "b", "memory": "slow"})").buffers[1].allowed,
            (std::vector<uint32_t>{1}));
  const Problem problem =
      constrained(five(), R"({"tensor": "b", "memory": "fast", "offset": 300})");
  ASSERT_TRUE(problem.buffers[1].fixed);
  EXPECT_EQ(problem.buffers[1].fixed->memory, 0u);
  EXPECT_EQ(problem.buffers[1].fixed->offset, 300u);
}

TEST(Constraints, APinOfAViewPinsItsBase) {
  const Problem problem =
      constrained(five(), R"({"tensor": "v", "memory": "fast", "offset": 324})");
  EXPECT_FALSE(problem.buffers[4].fixed);
  EXPECT_EQ(problem.buffers[2].fixed->offset, 300u);
  EXPECT_EQ(problem.buffers[4].relative->base, 2u);
}

TEST(Constraints, TieTensorsToTheSameAddressOrAtADistance) {
  // Alone all start at 0 or behind their neighbor in time.
  EXPECT_EQ(planned(""), (Offsets{0, 100, 0, 0, 24}));
  // d (4-5) lies where b (1-2) did.
  EXPECT_EQ(planned(R"({"tensor": "d", "tie": "b"})")[3],
            planned(R"({"tensor": "d", "tie": "b"})")[1]);
  // d begins 16 bytes before b.
  const Offsets before = planned(R"({"tensor": "d", "tie": "b", "distance": -16})");
  EXPECT_EQ(before[1], before[3] + 16);
  // A chain: a to c's view, and d to a.
  const Offsets chain =
      planned(R"({"tensor": "a", "tie": "v", "distance": 16}, {"tensor": "d", "tie": "a"})");
  EXPECT_EQ(chain[0], chain[4] + 16);
  EXPECT_EQ(chain[3], chain[0]);
  EXPECT_EQ(chain[4], chain[2] + 24);
}

TEST(Constraints, APinReachesWhatIsTied) {
  const Offsets found = planned(
      R"({"tensor": "d", "memory": "fast", "offset": 200}, {"tensor": "b", "tie": "d",
          "distance": 8})");
  EXPECT_EQ(found[1], 208u);
  EXPECT_EQ(found[3], 200u);
}

TEST(Constraints, ATieWithinAPermissionToOverlapIsNoContradiction) {
  Problem problem = five();
  problem.overlaps.push_back({0, 1, 0});
  const std::string entry = R"({"tensor": "a", "tie": "b"})";
  EXPECT_EQ(constrained(problem, entry).buffers[1].relative->base, 0u);
  EXPECT_THAT(input_error([&] { constrained(five(), entry); }),
              HasSubstr("'a' and 'b' both live at step 1"));
}

struct Wrong {
  std::string name;
  std::string entries;
  std::vector<std::string> expected;
};

class ConstraintsRefuse : public testing::TestWithParam<Wrong> {};

TEST_P(ConstraintsRefuse, WithTheEntry) {
  const std::string message = input_error([&] { constrained(five(), GetParam().entries); });
  EXPECT_THAT(message, HasSubstr("c.json"));
  for (const std::string& expected : GetParam().expected) {
    EXPECT_THAT(message, HasSubstr(expected));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Memory, ConstraintsRefuse,
    testing::Values(
        Wrong{"NoJson", "{", {"not JSON"}}, Wrong{"NoObject", "3", {"constraint 1", "an object"}},
        Wrong{"NoTensor", R"({"memory": "fast"})", {"constraint 1", "\"tensor\" is missing"}},
        Wrong{"TensorNoName", R"({"tensor": 7})", {"\"tensor\" is 7"}},
        Wrong{"UnknownKey", R"({"tensor": "a", "memmory": "fast"})", {"'a'", "\"memmory\""}},
        Wrong{"AsksNothing", R"({"tensor": "a"})", {"found 0"}},
        Wrong{"AsksTwo", R"({"tensor": "a", "memory": "fast", "tie": "b"})", {"found 2"}},
        Wrong{"NotInNothing", R"({"tensor": "a", "not_in": []})", {"no list"}},
        Wrong{"NotInNumbers", R"({"tensor": "a", "not_in": [1]})", {"holds 1"}},
        Wrong{"OffsetAlone", R"({"tensor": "a", "offset": 1, "tie": "b"})", {"needs \"memory\""}},
        Wrong{"OffsetNegative",
              R"({"tensor": "a", "memory": "fast", "offset": -1})",
              {"\"offset\" is -1"}},
        Wrong{"OffsetHuge",
              R"({"tensor": "a", "memory": "fast", "offset": 18446744073709551615})",
              {"2^62"}},
        Wrong{"DistanceAlone",
              R"({"tensor": "a", "memory": "fast", "distance": 1})",
              {"needs \"tie\""}},
        Wrong{"DistanceHuge",
              R"({"tensor": "a", "tie": "b", "distance": 1152921504606846977})",
              {"2^60"}},
        Wrong{"DistanceFraction", R"({"tensor": "a", "tie": "b", "distance": 1.5})", {"1.5"}},
        Wrong{"FarInSteps",
              R"({"tensor": "a", "tie": "b", "distance": 1152921504606846976},
                 {"tensor": "b", "tie": "c", "distance": 1152921504606846976})",
              {"constraint 2", "more than 2^60"}},
        Wrong{"UnknownTensor",
              R"({"tensor": "a", "not_in": ["fast"]}, {"tensor": "x", "memory": "fast"})",
              {"constraint 2", "no tensor 'x'"}},
        Wrong{"UnknownTie", R"({"tensor": "a", "tie": "x"})", {"no tensor 'x'"}},
        Wrong{"UnknownMemory",
              R"({"tensor": "a", "memory": "dtcm"})",
              {"unknown memory 'dtcm'", "fast, slow"}},
        Wrong{"BarredFromAll", R"({"tensor": "a", "not_in": ["fast", "slow"]})", {"no memory"}},
        Wrong{"PinnedWhereBarred",
              R"({"tensor": "a", "not_in": ["slow"]}, {"tensor": "a", "memory": "slow"})",
              {"constraint 2", "no memory"}},
        Wrong{"PinnedTwice",
              R"({"tensor": "a", "memory": "fast", "offset": 0},
                 {"tensor": "a", "memory": "fast", "offset": 64})",
              {"constraint 2", "pinned by constraint 1"}},
        Wrong{"TiedTwoWays",
              R"({"tensor": "a", "tie": "d"}, {"tensor": "d", "tie": "a", "distance": 8})",
              {"constraint 2", "0 bytes from 'a' already"}},
        Wrong{"TiedToItself", R"({"tensor": "a", "tie": "a", "distance": 8})", {"0 bytes"}},
        Wrong{"TiedAndPinnedElsewhere",
              R"({"tensor": "a", "tie": "d"}, {"tensor": "a", "memory": "fast", "offset": 0},
                 {"tensor": "d", "memory": "fast", "offset": 8})",
              {"constraint", "pinned elsewhere"}},
        Wrong{"TiedInDifferentMemories",
              R"({"tensor": "a", "tie": "d"}, {"tensor": "a", "memory": "fast"},
                 {"tensor": "d", "memory": "slow"})",
              {"constraint 1", "no memory"}},
        Wrong{"BeforeTheMemory",
              R"({"tensor": "a", "tie": "d", "distance": -64},
                 {"tensor": "d", "memory": "fast", "offset": 16})",
              {"48 bytes before"}},
        Wrong{"BothLive", R"({"tensor": "b", "tie": "c"})", {"both live at step 2"}},
        Wrong{"PartlyOnEachOther",
              R"({"tensor": "b", "tie": "c", "distance": 39})",
              {"both live at step 2"}},
        Wrong{"PinnedOnEachOther",
              R"({"tensor": "a", "memory": "fast", "offset": 0},
                 {"tensor": "b", "memory": "fast", "offset": 99})",
              {"'a' and 'b' overlap"}},
        Wrong{"PinnedPastTheEnd",
              R"({"tensor": "a", "memory": "fast", "offset": 901})",
              {"passes the end"}}),
    [](const auto& instance) { return instance.param.name; });

TEST(Constraints, NotAFileOfConstraints) {
  for (const char* text :
       {"", "[]", "{}", R"({"constraints": {}})", R"({"constraints": [], "more": 1})"}) {
    EXPECT_THAT(input_error([&] { read_constraints(text, "c.json"); }), HasSubstr("c.json"));
  }
}

TEST(Constraints, ATieMayLieBesideItsNeighbor) {
  // b and c both live at step 2, one behind the other.
  const Offsets found = planned(R"({"tensor": "b", "tie": "c", "distance": 40})");
  EXPECT_EQ(found[1], found[2] + 40);
}

TEST(Constraints, AlignmentsHold) {
  Problem problem = five();
  problem.buffers[1].alignment = 16;
  EXPECT_THAT(
      input_error([&] { constrained(problem, R"({"tensor": "b", "tie": "d", "distance": 8})"); }),
      HasSubstr("no multiple of its alignment 16"));
}

TEST(Constraints, NamesMustBeUnique) {
  Problem problem = five();
  problem.buffers[1].name = "a";
  EXPECT_THAT(input_error([&] { constrained(problem, R"({"tensor": "a", "memory": "fast"})"); }),
              HasSubstr("more than one tensor"));
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
