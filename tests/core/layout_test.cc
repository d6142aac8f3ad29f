// Weights in blocks: where each element lies, against a table filled block by block.
#include "core/layout.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

namespace arenite::tests {
namespace {

// The elements (n, k) in the order in which they are stored; of padding (kPadding, kPadding).
constexpr uint32_t kPadding = 0xffffffff;
using Element = std::pair<uint32_t, uint32_t>;

std::vector<Element> stored(const Blocks& blocks, uint32_t n_count, uint32_t k_count) {
  std::vector<Element> all;
  for (uint32_t n0 = 0; n0 < n_count; n0 += blocks.n) {
    for (uint32_t k0 = 0; k0 < k_count; k0 += blocks.k) {
      for (uint32_t n = n0; n < n0 + blocks.n; ++n) {
        for (uint32_t k = k0; k < k0 + blocks.k; ++k) {
          const bool there = n < n_count && k < k_count;
          all.push_back(there ? Element(n, k) : Element(kPadding, kPadding));
        }
      }
    }
  }
  return all;
}

TEST(Blocks, EachElementLiesWhereATableHasIt) {
  constexpr uint8_t kSizesN[] = {1, 2, 4, 7, 16, 32}, kSizesK[] = {1, 2, 3, 4, 8};
  constexpr uint8_t kBits[] = {4, 8, 16, 32};
  for (const uint8_t size_n : kSizesN) {
    for (const uint8_t size_k : kSizesK) {
      for (const uint8_t bits : kBits) {
        const Blocks blocks = {size_n, size_k, bits};
        for (const auto& [n_count, k_count] :
             {std::pair(1u, 1u), std::pair(16u, 8u), std::pair(5u, 13u), std::pair(33u, 9u)}) {
          SCOPED_TRACE(testing::Message()
                       << int{size_n} << "x" << int{size_k} << " of " << n_count << "x" << k_count);
          const std::vector<Element> table = stored(blocks, n_count, k_count);
          EXPECT_EQ(bits_of(blocks, n_count, k_count), table.size() * bits);
          uint64_t found = 0;
          for (size_t place = 0; place < table.size(); ++place) {
            const auto [n, k] = table[place];
            if (n == kPadding) continue;
            ++found;
            ASSERT_EQ(place_of(blocks, k_count, n, k), place) << n << " " << k;
          }
          EXPECT_EQ(found, uint64_t{n_count} * k_count);
        }
      }
    }
  }
}

TEST(Blocks, PanelsAreBlocks) {
  const uint32_t depth = 10;
  for (uint32_t n = 0; n < 40; ++n) {
    for (uint32_t k = 0; k < depth; ++k) {
      EXPECT_EQ(place_of(kPanel16Blocks, depth, n, k), (n / 16 * depth + k) * 16 + n % 16);
    }
  }
  EXPECT_EQ(layout_of(kPanel16Blocks), Layout::kPanel16);
  EXPECT_EQ(layout_of({16, 1, 8}), Layout::kBlocked);
  EXPECT_EQ(layout_of({}), Layout::kStrided);
  EXPECT_EQ(with_bits(kPanel16Blocks, 2), (Blocks{16, 1, 16}));
  EXPECT_EQ(with_bits({16, 1, 8}, 4), (Blocks{16, 1, 8}));
}

TEST(Blocks, WordsHoldThem) {
  for (const Blocks blocks : {Blocks{16, 1, 32}, Blocks{255, 254, 16}, Blocks{1, 4, 4}}) {
    EXPECT_EQ(blocks_of_word(word_of(blocks)), blocks);
    EXPECT_EQ(word_of(blocks) >> 24, 0u);
  }
  const uint32_t filters[] = {word_of({8, 4, 8}), 0, 0, 0};
  const uint32_t matrix[] = {0, 0, word_of({8, 4, 8})};
  EXPECT_EQ(blocks_word(filters, 4), blocks_word(matrix, 3));
}

TEST(Blocks, BytesAloneMayHaveOtherBitsThanTheirOwn) {
  std::vector<std::tuple<uint32_t, uint32_t>> good;
  for (const uint32_t element : {1u, 2u, 4u, 8u}) {
    for (uint32_t bits = 0; bits <= 0x100; ++bits) {
      if (fits(bits, element)) good.emplace_back(element, bits);
    }
  }
  EXPECT_EQ(good, (std::vector<std::tuple<uint32_t, uint32_t>>{
                      {1, 4}, {1, 8}, {1, 16}, {2, 16}, {4, 32}, {8, 64}}));
}

// Outputs or inner indices that fill 31 bits.
TEST(Blocks, ManyElementsDoNotWrap) {
  constexpr uint32_t kMost = 0x7fffffff;
  const Blocks largest = {255, 255, 32};
  EXPECT_EQ(bits_of(largest, kMost, 1), (kMost / 255 + 1) * uint64_t{255} * 255 * 32);
  EXPECT_EQ(bits_of(largest, 1, kMost), (kMost / 255 + 1) * uint64_t{255} * 255 * 32);
  EXPECT_EQ(place_of({1, 1, 8}, kMost, 3, 5), size_t{3} * kMost + 5);
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
