// Widens the bytes that a place reads to pairs of 16-bit numbers.
#pragma once

#include "core/access.h"
#include "portable_fallback/fast/dsp.h"

namespace arenite {
namespace {

// Writes the two pairs of a word's numbers, x less the zero point.
inline void put_word(uint32_t word, uint32_t added, uint32_t* first, uint32_t* second) {
  const uint32_t even = dsp::add_even_bytes(added, word);
  const uint32_t odd = dsp::add_odd_bytes(added, word);
  *first = dsp::lower_pair(even, odd);
  *second = dsp::upper_pair(even, odd);
}

// Says which of four numbers are pairs, and in which order: neighbors, x0 x1 | x2 x3.
struct Neighbors {
  static void put(uint32_t word, uint32_t added, uint32_t* first, uint32_t* second) {
    put_word(word, added, first, second);
  }
  // Of a word of so many bits, or of all: a last number without a partner gets one that weighs
  // nothing.
  static void put_last(uint32_t word, uint32_t bits, uint32_t added, uint32_t* first,
                       uint32_t* second) {
    uint32_t unused;
    put_word(word, added, first, bits > 16 ? second : &unused);
  }
};

// As SXTB16 finds them, x1 x3 | x0 x2: for weights that lie two a byte.
struct Halves {
  static void put(uint32_t word, uint32_t added, uint32_t* first, uint32_t* second) {
    *first = dsp::add_odd_bytes(added, word);
    *second = dsp::add_even_bytes(added, word);
  }
  // What is not there is 0.
  static void put_last(uint32_t word, uint32_t bits, uint32_t added, uint32_t* first,
                       uint32_t* second) {
    *first = bits > 8 ? dsp::add_odd_bytes(added, word) & (bits > 24 ? ~uint32_t{0} : 0xffff) : 0;
    *second = dsp::add_even_bytes(added, word) & (bits > 16 ? ~uint32_t{0} : 0xffff);
  }
};

inline uint32_t load_word(Src<std::byte> x) {
  uint32_t word;
  take(static_cast<std::byte*>(static_cast<void*>(&word)), x, sizeof word);
  return word;
}

// Takes the bytes that one place reads, and writes their numbers to the rows: pairs that lie
// `step` words apart.
template <typename Order = Neighbors>
class Lane {
 public:
  template <typename Products>
  Lane(const Products& p, uint32_t* to, size_t step)
      : flip_(p.flip), added_(dsp::pair_of(p.added, p.added)), step_(step), to_(to) {}

  // x_step 0: of four neighbors that are the same, again and again.
  [[gnu::noinline]] void copy(Src<std::byte> x, size_t x_step, uint32_t count) {
    if (x_step <= 1 && bits_ == 0) {
      for (; count >= 4; count -= 4, x += 4 * x_step) put_four(load_word(x));
    }
    for (; count != 0; --count, x += x_step) put(static_cast<uint32_t>(*x));
  }

  // Four of the same byte are a word.
  void fill(uint32_t word, uint32_t count) {
    for (; count >= 4; count -= 4) bits_ == 0 ? put_four(word) : put_shifted(word);
    for (; count != 0; --count) put(word & 0xff);
  }

  // Goes on elsewhere, behind an end.
  void begin(uint32_t* to) {
    to_ = to;
    word_ = bits_ = 0;
  }

  void end() {
    if (bits_ != 0) Order::put_last(word_ ^ flip_, bits_, added_, to_, to_ + step_);
  }

 private:
  void put_four(uint32_t word) {
    Order::put(word ^ flip_, added_, to_, to_ + step_);
    to_ += 2 * step_;
  }
  void put_shifted(uint32_t word) {
    put_four(word_ | word << bits_);
    word_ = word >> (32 - bits_);
  }
  void put(uint32_t byte) {
    word_ |= byte << bits_;
    bits_ += 8;
    if (bits_ == 32) {
      put_four(word_);
      word_ = bits_ = 0;
    }
  }

  const uint32_t flip_, added_;
  const size_t step_;
  uint32_t* to_;
  uint32_t word_ = 0;  // bytes that do not fill it yet
  uint32_t bits_ = 0;  // so many of it
};

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
