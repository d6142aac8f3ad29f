// Memories from JSON: what is read and what is refused.
#include "planner/memplan/json_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/planner/memory/build.h"

namespace arenite::memory {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Memories, ReadsAllKeysAndDefaults) {
  const std::vector<Memory> memories = read_memories(
      R"({"memories":[{"name":"dtcm","bytes":524288,"alignment":8,"read_cost":1,"write_cost":2.5,
          "base":805306368},{"name":"ddr","bytes":null}]})",
      "m.json");
  ASSERT_EQ(memories.size(), 2u);
  EXPECT_EQ(memories[0].name, "dtcm");
  EXPECT_EQ(memories[0].size_bytes, 524288u);
  EXPECT_EQ(memories[0].alignment, 8u);
  EXPECT_EQ(memories[0].base, 0x30000000u);
  EXPECT_EQ(memories[0].write_cost, 2.5);
  EXPECT_EQ(memories[1].size_bytes, kUnbounded);
  EXPECT_EQ(memories[1].alignment, 1u);
  EXPECT_EQ(memories[1].read_cost, 1);
  EXPECT_EQ(memories[1].base, 0u);
}

TEST(Memories, ReadsSizesWithUnits) {
  const std::vector<Memory> memories =
      read_memories(R"({"memories":[{"name":"a","bytes":"128K","base":"0x20000000"}]})", "m.json");
  EXPECT_EQ(memories[0].size_bytes, 131072u);
  EXPECT_EQ(memories[0].base, 0x20000000u);
}

std::string refusal(std::string_view text) {
  return input_error([&] { read_memories(text, "m.json"); });
}

std::string refusal_of_entry(const std::string& entry) {
  return refusal(R"({"memories":[{"name":"first","bytes":1},)" + entry + "]}");
}

TEST(Memories, RefusesWhatIsNotAListOfMemories) {
  EXPECT_THAT(refusal(""), AllOf(HasSubstr("m.json"), HasSubstr("an empty file")));
  EXPECT_THAT(refusal("{\"memories\":"), HasSubstr("not JSON"));
  EXPECT_THAT(refusal("[]"), HasSubstr("\"memories\""));
  EXPECT_THAT(refusal("{}"), HasSubstr("\"memories\""));
  EXPECT_THAT(refusal("{\"memories\":{}}"), HasSubstr("array"));
  EXPECT_THAT(refusal("{\"memories\":[],\"x\":1}"), HasSubstr("one key"));
  EXPECT_THAT(refusal("{\"memories\":[]}"), HasSubstr("at least one"));
  EXPECT_NE(refusal(std::string(100000, '[')), "");
}

TEST(Memories, RefusesABadMemoryByNumberAndName) {
  EXPECT_THAT(refusal_of_entry("3"), HasSubstr("memory 1: expected an object"));
  EXPECT_THAT(refusal_of_entry(R"({"bytes":1})"), HasSubstr("\"name\""));
  EXPECT_THAT(refusal_of_entry(R"({"name":"","bytes":1})"), HasSubstr("empty"));
  EXPECT_THAT(refusal_of_entry(R"({"name":"a,b","bytes":1})"), HasSubstr("comma"));
  EXPECT_THAT(refusal_of_entry(R"({"name":"first","bytes":1})"), HasSubstr("same name"));
  EXPECT_THAT(refusal_of_entry(R"({"name":"x","bytes":1,"size":2})"),
              HasSubstr("unknown key \"size\""));
  EXPECT_THAT(refusal_of_entry(R"({"name":"x"})"),
              AllOf(HasSubstr("memory 1 'x'"), HasSubstr("\"bytes\" is missing")));
  EXPECT_THAT(refusal_of_entry(R"({"name":"x","bytes":-1})"), HasSubstr("\"bytes\" is -1"));
  EXPECT_THAT(refusal_of_entry(R"({"name":"x","bytes":1.5})"), HasSubstr("whole number"));
  EXPECT_THAT(refusal_of_entry(R"({"name":"x","bytes":1e300})"), HasSubstr("whole number"));
  EXPECT_THAT(refusal_of_entry(R"({"name":"x","bytes":18446744073709551615})"),
              HasSubstr("whole number"));
  EXPECT_THAT(refusal_of_entry(R"({"name":"x","bytes":1,"alignment":0})"),
              HasSubstr("\"alignment\" is 0"));
  EXPECT_THAT(refusal_of_entry(R"({"name":"x","bytes":"1Q"})"),
              HasSubstr("\"bytes\" is \"1Q\"; the unit 'Q'"));
  EXPECT_THAT(refusal_of_entry(R"({"name":"x","bytes":1,"base":true})"), HasSubstr("\"base\""));
  EXPECT_THAT(refusal_of_entry(R"({"name":"x","bytes":1,"read_cost":-1})"),
              HasSubstr("\"read_cost\" is -1"));
  EXPECT_THAT(refusal_of_entry(R"({"name":"x","bytes":1,"write_cost":"2"})"),
              HasSubstr("\"write_cost\""));
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
