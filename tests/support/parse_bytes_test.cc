// Sizes as people write them: what they mean, and how mistakes are named.
#include "support/parse_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace arenite {
namespace {

using testing::HasSubstr;

TEST(ParseBytes, ReadsNumbersWithAndWithoutUnits) {
  const std::pair<const char*, uint64_t> good[] = {
      {"0", 0},
      {"65536", 65536},
      {"0x10000", 65536},
      {"0X1f", 31},
      {"128K", 131072},
      {"128k", 131072},
      {"2M", uint64_t{2} << 20},
      {"1G", uint64_t{1} << 30},
      {"480KiB", 480 * 1024},
      {"3Mi", uint64_t{3} << 20},
      {"0x10K", 16384},
      {"18446744073709551615", UINT64_MAX},
      {"17179869183G", 17179869183ull << 30},
  };
  for (const auto& [text, bytes] : good) {
    const ParsedBytes read = parse_bytes(text);
    EXPECT_EQ(read.problem, "") << text;
    EXPECT_EQ(read.bytes, bytes) << text;
  }
}

TEST(ParseBytes, NamesWhatIsWrong) {
  for (const char* text : {"", "K", "-1", "+1", " 1", "0x", "x", "1.5M", "1,024", "0xg"}) {
    const ParsedBytes read = parse_bytes(text);
    EXPECT_THAT(read.problem, HasSubstr("such as 65536, 0x10000, 64K, 2M or 1G")) << text;
    EXPECT_EQ(read.bytes, 0u) << text;
  }
  for (const char* text : {"12Q", "128KB", "1 M", "3T", "2MM", "64K ", "5kib"}) {
    EXPECT_THAT(parse_bytes(text).problem, HasSubstr("is none of K, M and G")) << text;
  }
  for (const char* text : {"18446744073709551616", "17179869184G", "0x10000000000000000"}) {
    EXPECT_THAT(parse_bytes(text).problem, HasSubstr("it passes 2^64 - 1")) << text;
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
