// The checksum against published values and in pieces.
#include "core/crc32.h"

#include <gtest/gtest.h>

#include <span>
#include <string_view>

namespace arenite {
namespace {

std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

TEST(Crc32, KnownValues) {
  EXPECT_EQ(crc32({}), 0u);
  EXPECT_EQ(crc32(bytes("123456789")), 0xcbf43926u);
  EXPECT_EQ(crc32(bytes("The quick brown fox jumps over the lazy dog")), 0x414fa339u);
}

TEST(Crc32, PiecesGiveTheWhole) {
  const std::string_view text = "pieces of any length give the checksum of the whole";
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    EXPECT_EQ(crc32(bytes(text.substr(cut)), crc32(bytes(text.substr(0, cut)))),
              crc32(bytes(text)));
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
