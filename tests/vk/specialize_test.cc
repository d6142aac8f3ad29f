// Modules without specialization constants are the same code, with numbers where these were.
#include "vk/specialize.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "kernels/dispatch/command.h"
#include "kernels/shader_table.h"

namespace arenite::tests {
namespace {

using Words = std::vector<uint32_t>;

Words specialized(std::span<const uint32_t> words, std::span<const uint32_t> spec) {
  Words written(words.size(), 0xffffffff);
  written.resize(vk::write_specialized(words, spec, written.data()));
  return written;
}

constexpr uint32_t op(uint32_t number, uint32_t words) { return words << 16 | number; }

TEST(Specialize, WritesNumbersWhereConstantsWere) {
  const Words module = {0x07230203, 0x00010300, 0, 9,   0,      // header
                        op(71, 4),  5,          1, 0,           // SpecId 0 of %5
                        op(71, 4),  6,          1, 3,           // SpecId 3 of %6
                        op(71, 4),  7,          1, 1,           // SpecId 1 of %7
                        op(71, 3),  7,          2,              // another decoration
                        op(50, 4),  2,          5, 70,          // spec uint %5 = 70
                        op(48, 3),  3,          6,              // spec true %6
                        op(49, 3),  3,          7,              // spec false %7
                        op(43, 4),  2,          8, 80,          // uint %8 = 80
                        op(52, 6),  2,          9, 199, 5, 8};  // spec op %9 = %5 & %8
  const Words header(module.begin(), module.begin() + 5);
  const auto expected = [&header](uint32_t five, uint32_t six, uint32_t seven) {
    Words words = header;
    const Words rest = {op(71, 3),    7, 2, op(43, 4), 2, 5, five, op(six, 3), 3, 6,
                        op(seven, 3), 3, 7, op(43, 4), 2, 8, 80,   op(52, 6),  2, 9,
                        199,          5, 8};
    words.insert(words.end(), rest.begin(), rest.end());
    return words;
  };
  EXPECT_EQ(specialized(module, {}), expected(70, 41, 42));  // the defaults
  EXPECT_EQ(specialized(module, Words{11}), expected(11, 41, 42));
  EXPECT_EQ(specialized(module, Words{11, 1, 4, 1}), expected(11, 41, 41));
  EXPECT_EQ(specialized(module, Words{11, 0, 4, 0}), expected(11, 42, 42));
}

// Instructions of a module by their numbers.
std::map<uint32_t, uint32_t> count_instructions(std::span<const uint32_t> words) {
  std::map<uint32_t, uint32_t> counts;
  for (size_t at = 5; at < words.size(); at += words[at] >> 16) ++counts[words[at] & 0xffff];
  return counts;
}

TEST(Specialize, LeavesNoConstantOfAnyShader) {
  Words spec(kMaxSpecWords, 1);
  uint32_t constants = 0;
  for (const ShaderCode& code : all_shaders()) {
    SCOPED_TRACE(code.name);
    const std::span<const uint32_t> words(code.words, code.word_count);
    std::map<uint32_t, uint32_t> before = count_instructions(words);
    std::map<uint32_t, uint32_t> after = count_instructions(specialized(words, spec));
    const uint32_t numbers = before[50], flags = before[48] + before[49];
    EXPECT_EQ(after[48] + after[49] + after[50], 0u);
    EXPECT_EQ(after[43], before[43] + numbers);
    EXPECT_EQ(after[41], before[41] + flags);
    EXPECT_EQ(after[71] + numbers + flags, before[71]);
    constants += numbers + flags;
    for (const uint32_t op : {41u, 43u, 48u, 49u, 50u, 71u}) before[op] = after[op] = 0;
    EXPECT_EQ(after, before);
  }
  EXPECT_GT(constants, 100u);
}

TEST(Specialize, OnSwiftShaderAlone) {
  vk::DeviceInfo info;
  info.type = VK_PHYSICAL_DEVICE_TYPE_CPU;
  info.vendor_id = 0x1AE0;
  EXPECT_FALSE(vk::drops_dead_code(info));
  info.vendor_id = 0x10005;  // Mesa's
  EXPECT_TRUE(vk::drops_dead_code(info));
  info.type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
  info.vendor_id = 0x1AE0;
  EXPECT_TRUE(vk::drops_dead_code(info));
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
