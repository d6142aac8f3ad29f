// The checksum against published values and in pieces.
#include "core/crc32.h"

#include <gtest/gtest.h>

#include <string_view>

#include "tests/core/text_bytes.h"

namespace arenite {
namespace {

TEST(Crc32, KnownValues) {
  EXPECT_EQ(crc32({}), 0u);
  EXPECT_EQ(crc32(tests::text_bytes("123456789")), 0xcbf43926u);
  EXPECT_EQ(crc32(tests::text_bytes("The quick brown fox jumps over the lazy dog")), 0x414fa339u);
}

TEST(Crc32, PiecesGiveTheWhole) {
  const std::string_view text = "pieces of any length give the checksum of the whole";
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    EXPECT_EQ(
        crc32(tests::text_bytes(text.substr(cut)), crc32(tests::text_bytes(text.substr(0, cut)))),
        crc32(tests::text_bytes(text)));
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
