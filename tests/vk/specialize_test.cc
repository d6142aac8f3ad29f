// Modules without specialization constants are the same code, with numbers where these were.
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "kernels/dispatch/command.h"
#include "kernels/dispatch/specialize.h"
#include "kernels/shader_table.h"

namespace arenite::tests {
namespace {

using Words = std::vector<uint32_t>;

Words specialized(std::span<const uint32_t> words, std::span<const uint32_t> spec) {
  Words written(words.size(), 0xffffffff);
  written.resize(write_specialized(words, spec, written.data()));
  return written;
}

constexpr uint32_t op(uint32_t number, uint32_t words) { return words << 16 | number; }

TEST(Specialize, WritesNumbersWhereConstantsWere) {
  const Words module = {0x07230203, 0x00010300, 0, 9,   0,  // header
                        op(71, 4),  5,          1, 0,       // SpecId 0 of %5
                        op(71, 4),  6,          1, 3,       // SpecId 3 of %6
                        op(71, 4),  7,          1, 1,       // SpecId 1 of %7
                        op(71, 3),  7,          2,          // another decoration
                        op(50, 4),  2,          5, 70,      // spec uint %5 = 70
                        op(48, 3),  3,          6,          // spec true %6
                        op(49, 3),  3,          7,          // spec false %7
                        op(43, 4),  2,          8, 80,      // uint %8 = 80
                        op(52, 6),  2,          9, 199, 5,
                        4};  // spec op %9 = %5 & %4, which is none
  const Words header(module.begin(), module.begin() + 5);
  const auto expected = [&header](uint32_t five, uint32_t six, uint32_t seven) {
    Words words = header;
    const Words rest = {op(71, 3),    7, 2, op(43, 4), 2, 5, five, op(six, 3), 3, 6,
                        op(seven, 3), 3, 7, op(43, 4), 2, 8, 80,   op(52, 6),  2, 9,
                        199,          5, 4};
    words.insert(words.end(), rest.begin(), rest.end());
    return words;
  };
  EXPECT_EQ(specialized(module, {}), expected(70, 41, 42));  // the defaults
  EXPECT_EQ(specialized(module, Words{11}), expected(11, 41, 42));
  EXPECT_EQ(specialized(module, Words{11, 1, 4, 1}), expected(11, 41, 41));
  EXPECT_EQ(specialized(module, Words{11, 0, 4, 0}), expected(11, 42, 42));
}

// What becomes of `operation` of %5 = 12, %6 = 8, %7 = true, %8 = false.
Words result_of(uint32_t operation, const Words& operands) {
  Words module = {0x07230203, 0x00010300, 0, 9, 0, op(71, 4), 5, 1, 0,         op(50, 4), 2, 5,
                  0,          op(43, 4),  2, 6, 8, op(41, 3), 3, 7, op(42, 3), 3,         8};
  const uint32_t count = 4 + static_cast<uint32_t>(operands.size());
  const Words last = {op(52, count), 4, 9, operation};
  module.insert(module.end(), last.begin(), last.end());
  module.insert(module.end(), operands.begin(), operands.end());
  const Words words = specialized(module, Words{12});
  return {words.begin() + 19, words.end()};
}

TEST(Specialize, ComputesWithConstants) {
  const auto number = [](uint32_t bits) { return Words{op(43, 4), 4, 9, bits}; };
  const Words yes = {op(41, 3), 4, 9}, no = {op(42, 3), 4, 9};
  EXPECT_EQ(result_of(130, {5, 6}), number(4));
  EXPECT_EQ(result_of(132, {5, 6}), number(96));
  EXPECT_EQ(result_of(134, {5, 6}), number(1));
  EXPECT_EQ(result_of(199, {5, 6}), number(8));
  EXPECT_EQ(result_of(166, {7, 8}), yes);
  EXPECT_EQ(result_of(166, {8, 8}), no);
  EXPECT_EQ(result_of(167, {7, 8}), no);
  EXPECT_EQ(result_of(167, {7, 7}), yes);
  EXPECT_EQ(result_of(168, {7}), no);
  EXPECT_EQ(result_of(168, {8}), yes);
  EXPECT_EQ(result_of(169, {7, 5, 6}), number(12));
  EXPECT_EQ(result_of(169, {8, 5, 6}), number(8));
  EXPECT_EQ(result_of(169, {8, 7, 8}), no);
  EXPECT_EQ(result_of(170, {5, 6}), no);
  EXPECT_EQ(result_of(170, {5, 5}), yes);
  EXPECT_EQ(result_of(171, {5, 6}), yes);
  EXPECT_EQ(result_of(171, {6, 6}), no);
  EXPECT_EQ(result_of(172, {5, 6}), yes);
  EXPECT_EQ(result_of(172, {5, 5}), no);
  // Others stay for the driver.
  const Words sum = {op(52, 6), 4, 9, 128, 5, 6};
  EXPECT_EQ(result_of(128, {5, 6}), sum);
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
    EXPECT_EQ(after[71] + numbers + flags, before[71]);
    constants += numbers + flags;
    EXPECT_EQ(after[52], 0u);
    const uint32_t computed = before[52];
    EXPECT_EQ(after[41] + after[42] + after[43],
              before[41] + before[42] + before[43] + numbers + flags + computed);
    for (const uint32_t op : {41u, 42u, 43u, 48u, 49u, 50u, 52u, 71u}) before[op] = after[op] = 0;
    EXPECT_EQ(after, before);
  }
  EXPECT_GT(constants, 100u);
}

TEST(Specialize, OnSwiftShaderAlone) {
  EXPECT_FALSE(drops_dead_code(0x1AE0));
  EXPECT_TRUE(drops_dead_code(0x10005));  // Mesa's software drivers
  EXPECT_TRUE(drops_dead_code(0x10DE));
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
