// Copies two columns at once: pairs of neighbors where rows lie together, four numbers of each
// where columns do.
#include "portable_fallback/fast/integer_matrices_dsp_kernel.h"

#include <cstring>

namespace arenite {
namespace {

// Numbers of a column and of the next, one after the other.
struct Pairs {
  std::byte* to;

  void put(const std::byte (&pair)[2], uint32_t flip) {
    uint16_t half;
    std::memcpy(&half, pair, sizeof half);
    half = static_cast<uint16_t>(half ^ flip);
    std::memcpy(to, &half, sizeof half);
    to += sizeof half;
  }
  void put(uint32_t word) {
    std::memcpy(to, &word, sizeof word);
    to += sizeof word;
  }
};

inline uint32_t load_four(Src<std::byte> from) {
  uint32_t word;
  take<std::byte>(static_cast<std::byte*>(static_cast<void*>(&word)), from, sizeof word);
  return word;
}

// The two lower bytes of a word with a byte between them.
inline uint32_t spread(uint32_t word) { return (word & 0xff) | (word & 0xff00) << 8; }

}  // namespace

void copy_matrix_dsp(const IntegerMatrix& m, uint32_t* to) {
  Pairs pairs = {static_cast<std::byte*>(static_cast<void*>(to))};
  const uint32_t flip = m.flip;
  const size_t k_step = m.k_step, n_step = m.n_step;
  for (uint32_t column = 0; column < m.columns; column += 2) {
    Src<std::byte> first = m.b + column * n_step;
    uint32_t left = m.depth;
    if (column + 1 == m.columns) {
      for (; left != 0; --left, first += k_step) {
        pairs.put({*first, std::byte{0}}, flip & 0xff);
      }
      break;
    }
    if (n_step == 1) {
      for (; left != 0; --left, first += k_step) {
        std::byte pair[2];
        take(pair, first, 2);
        pairs.put(pair, flip);
      }
      continue;
    }
    Src<std::byte> second = first + n_step;
    if (k_step == 1) {
      for (; left >= 4; left -= 4, first += 4, second += 4) {
        const uint32_t a = load_four(first) ^ flip, b = load_four(second) ^ flip;
        pairs.put(spread(a) | spread(b) << 8);
        pairs.put(spread(a >> 16) | spread(b >> 16) << 8);
      }
    }
    for (; left != 0; --left, first += k_step, second += k_step) {
      pairs.put({*first, *second}, flip);
    }
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
