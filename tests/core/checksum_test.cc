// The checksum of programs: known values, pieces, and what it must find.
#include "core/checksum.h"

#include <gtest/gtest.h>

#include <random>
#include <string_view>
#include <vector>

#include "tests/core/sample_programs.h"
#include "tests/core/text_bytes.h"

namespace arenite::tests {
namespace {

TEST(Checksum, KnownValues) {
  EXPECT_EQ(checksum({}), kChecksumStart);
  EXPECT_EQ(checksum(text_bytes("123456789")), 0x76743ca5u);
  EXPECT_EQ(checksum(text_bytes("The quick brown fox jumps over the lazy dog")), 0xc49ef78fu);
}

TEST(Checksum, PiecesOfWholeWordsGiveTheWhole) {
  const std::string_view text = "pieces of whole words give the checksum of the whole";
  for (size_t cut = 0; cut <= text.size(); cut += 4) {
    EXPECT_EQ(checksum(text_bytes(text.substr(cut)), checksum(text_bytes(text.substr(0, cut)))),
              checksum(text_bytes(text)));
  }
}

// All changes of one word, and all pairs of bits that flip.
TEST(Checksum, FindsDamageWithinAWordAndTwoBits) {
  std::vector<std::byte> program = sample_builder().file();
  program.resize(256);
  const uint32_t whole = checksum(program);
  std::mt19937 random(1);
  for (size_t at = 0; at < program.size(); at += 4) {
    const std::vector<std::byte> before = program;
    for (int i = 0; i < 1000; ++i) {
      for (size_t k = 0; k < 4; ++k) program[at + k] = static_cast<std::byte>(random() & 0xff);
      ASSERT_EQ(checksum(program) == whole, program == before) << at;
    }
    program = before;
  }
  const auto flip = [&](size_t bit) { program[bit / 8] ^= std::byte{1} << (bit % 8); };
  for (size_t a = 0; a < program.size() * 8; ++a) {
    flip(a);
    for (size_t b = 0; b < a; ++b) {
      flip(b);
      ASSERT_NE(checksum(program), whole) << a << ' ' << b;
      flip(b);
    }
    flip(a);
  }
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
