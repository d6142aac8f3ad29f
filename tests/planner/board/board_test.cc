// Board files: what is read from them, and how mistakes in them are named.
#include "planner/board/board.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planner/graph.h"

namespace arenite::planner {
namespace {

using testing::HasSubstr;

std::string error_of(const std::string& text) {
  try {
    read_board(text, "x.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// A right board with one piece replaced.
std::string board_with(const std::string& memories, const std::string& more = "") {
  return R"({"name": "b", "cpu": {"name": "c"}, "memories": [)" + memories + "]" + more + "}";
}

constexpr const char* kRam = R"({"name": "ram", "bytes": 1024, "base": "0x20000000"})";

TEST(Board, HostHasVulkanAtGuaranteedLimits) {
  const Board board = find_board("host");
  ASSERT_TRUE(board.vulkan.has_value());
  const auto limit = [&](Capability c) { return board.vulkan->numbers[static_cast<uint32_t>(c)]; };
  EXPECT_EQ(limit(Capability::kVulkanVersion), 1001u);
  EXPECT_EQ(limit(Capability::kWorkgroupInvocations), 128u);
  EXPECT_EQ(limit(Capability::kSharedMemoryBytes), 16384u);
  EXPECT_EQ(limit(Capability::kStorageBufferBytes), 1u << 27);
  EXPECT_EQ(limit(Capability::kStorageBuffersPerStage), 4u);
  EXPECT_EQ(limit(Capability::kPushConstantBytes), 128u);
  EXPECT_EQ(limit(Capability::kWorkgroupCount), 65535u);
  EXPECT_EQ(board.weights, WeightPacking::kPanel16);
  EXPECT_EQ(board.memories[0].memory.size_bytes, memory::kUnbounded);
  EXPECT_EQ(board.memories[0].memory.alignment, 64u);
}

TEST(Board, CortexM55HasAHierarchyOfMemories) {
  const Board board = find_board("mps3-an547");
  EXPECT_FALSE(board.vulkan.has_value());
  ASSERT_GE(board.memories.size(), 3u);
  EXPECT_EQ(board.memories[0].memory.base, 0x30008000u);
  EXPECT_EQ(board.weights, WeightPacking::kRows);
  EXPECT_EQ(board.threads_max, 1u);
  ASSERT_TRUE(board.emulator.has_value());
  EXPECT_EQ(board.emulator->command[0], "qemu-system-arm");
  EXPECT_FALSE(board.program_memories.empty());
}

TEST(Board, ReadsNumbersInHexadecimal) {
  const Board board = read_board(board_with(kRam), "x.json");
  EXPECT_EQ(board.memories[0].memory.base, 0x20000000u);
  EXPECT_EQ(board.memories[0].memory.size_bytes, 1024u);
}

TEST(Board, ReadsSizesWithUnits) {
  const Board board = read_board(
      board_with(R"({"name": "ram", "bytes": "128K", "alignment": "0x20"})",
                 R"(, "program_memories": [{"name": "flash", "image": "embedded", "base": 0,
                     "bytes": "2M"}])"),
      "x.json");
  EXPECT_EQ(board.memories[0].memory.size_bytes, 131072u);
  EXPECT_EQ(board.memories[0].memory.alignment, 32u);
  EXPECT_EQ(board.program_memories[0].bytes, 2u << 20);
}

TEST(Board, NamesWhatIsWrong) {
  EXPECT_THAT(error_of("{"), HasSubstr("x.json: not JSON"));
  EXPECT_THAT(error_of("[]"), HasSubstr("expected an object"));
  EXPECT_THAT(error_of(R"({"nme": "b"})"), HasSubstr("unknown key \"nme\""));
  EXPECT_THAT(error_of(R"({"cpu": {"name": "c"}, "memories": []})"), HasSubstr("\"name\""));
  EXPECT_THAT(error_of(board_with("")), HasSubstr("expected 1 to 8"));
  EXPECT_THAT(error_of(board_with(R"({"name": "a", "size": 4})")),
              HasSubstr("memory 0: unknown key \"size\""));
  EXPECT_THAT(error_of(board_with(R"({"name": "a", "bytes": "12Q"})")),
              HasSubstr("memory 0: \"bytes\" is \"12Q\"; the unit 'Q' is none of K, M and G"));
  EXPECT_THAT(error_of(board_with(R"({"name": "a", "bytes": 1.5})")), HasSubstr("\"bytes\""));
  EXPECT_THAT(error_of(board_with(R"({"name": "a", "bytes": "0"})")), HasSubstr("\"bytes\""));
  EXPECT_THAT(error_of(board_with(R"({"name": "a", "alignment": 24})")), HasSubstr("power of two"));
  EXPECT_THAT(error_of(board_with(R"({"name": "a", "base": 8})")), HasSubstr("multiple"));
  EXPECT_THAT(error_of(board_with(R"({"name": "a b"})")), HasSubstr("a b"));
  EXPECT_THAT(error_of(board_with(std::string(kRam) + "," + kRam)), HasSubstr("two memories"));
  EXPECT_THAT(error_of(board_with(kRam, R"(, "weights": "best")")), HasSubstr("\"panel16\""));
  EXPECT_THAT(error_of(board_with(kRam, R"(, "vulkan": {"version": 1001})")),
              HasSubstr("workgroup_invocations"));
}

TEST(Board, UnknownNamesListTheKnown) {
  try {
    find_board("no-such-board");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no-such-board"));
    EXPECT_THAT(error.what(), HasSubstr("host"));
    EXPECT_THAT(error.what(), HasSubstr("mps3-an547"));
  }
  EXPECT_THROW(find_board("./none.json"), InputError);
  EXPECT_THROW(find_board(""), InputError);
  EXPECT_THROW(find_board(".."), InputError);
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
