// An index in the data that lies outside is a named error of the step that met it, on any memory,
// and the next run starts afresh.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/vk/programs.h"
#include "tests/vk/vulkan_machine.h"
#include "tests/vk/watched_test.h"

namespace arenite::tests {
namespace {

class Flags : public WatchedTest {};

std::vector<float> numbers_of(const std::vector<int32_t>& integers) {
  std::vector<float> numbers(integers.size());
  std::memcpy(numbers.data(), integers.data(), integers.size() * sizeof(int32_t));
  return numbers;
}

void fill(Loaded& loaded, const std::vector<int32_t>& i, const std::vector<int32_t>& j) {
  loaded.fill_input(0, {10, 11, 12, 13});
  loaded.fill_input(1, numbers_of(i));
  loaded.fill_input(2, numbers_of(j));
}

TEST_F(Flags, NameTheStepAndTheIndices) {
  struct Wrong {
    std::vector<int32_t> i, j;
    uint32_t step, value;
  };
  const Wrong wrongs[] = {
      {{0, 4, 1}, {0, 1}, 0, 1}, {{0, 1, 2}, {0, -4}, 1, 2}, {{-5, 0, 0}, {3, 0}, 0, 1}};
  for (const bool unified : {true, false}) {
    watched.device.unified = unified;
    Loaded loaded(picks_tables(1), &watched.device);
    ASSERT_EQ(loaded.load().code, Code::kOk);
    for (const Wrong& wrong : wrongs) {
      fill(loaded, {3, -4, 1}, {0, -2});
      ASSERT_TRUE(loaded.instance.run().ok());
      EXPECT_EQ(loaded.output(0), (std::vector<float>{13, 10}));
      fill(loaded, wrong.i, wrong.j);
      const Status status = loaded.instance.run();
      EXPECT_EQ(status.code, Code::kIndexOutOfRange);
      EXPECT_EQ(status.step, wrong.step);
      EXPECT_EQ(status.value, wrong.value);
    }
  }
}

// The behavior of programs that were planned before there was a check.
TEST_F(Flags, OldFormsClamp) {
  Loaded loaded(picks_tables(0), &watched.device);
  ASSERT_EQ(loaded.load().code, Code::kOk);
  EXPECT_EQ(loaded.vulkan.arrays.flags.bytes, 0u);
  fill(loaded, {9, 1, 0}, {0, 1});
  ASSERT_TRUE(loaded.instance.run().ok());
  EXPECT_EQ(loaded.output(0), (std::vector<float>{13, 11}));
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
