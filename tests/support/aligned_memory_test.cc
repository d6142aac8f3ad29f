// Tests memory for programs and arenas: where it begins, and that all of it is there.
#include "support/aligned_memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

namespace arenite {
namespace {

TEST(AlignedMemory, BeginsAsAsked) {
  for (const size_t alignment : {size_t{1}, size_t{64}, size_t{4096}}) {
    for (const size_t bytes : {size_t{0}, size_t{1}, size_t{65}, (size_t{4} << 20) + 1}) {
      const AlignedMemory memory = aligned_memory(bytes, alignment);
      ASSERT_NE(memory, nullptr);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(memory.get()) % alignment, 0u);
      std::memset(memory.get(), 1, bytes);
    }
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
