// Dot products of rows of int8 with one vector of 16 bits, two rows at a time, with Arm's DSP
// extension.
//
//   numbers   x0 x2 | x1 x3 | x4 x6 | x5 x7 | ...   two in a word, as SXTB16 finds those of a row
#pragma once

#include "core/access.h"
#include "portable_fallback/fast/dsp.h"

namespace arenite {
namespace {

struct DspDot {
  // Numbers of elements that lie `step` apart, plus `added`, which is in [-127, 128].
  static void widen(uint32_t* to, Src<int8_t> from, size_t step, uint32_t count, int32_t added) {
    const uint32_t both = dsp::pair_of(added, added);
    for (; count != 0; to += 2) {
      const uint32_t taken = count < 4 ? count : 4;
      uint32_t word = 0;
      if (step == 1 && taken == 4) {
        take<int8_t>(static_cast<int8_t*>(static_cast<void*>(&word)), from, 4);
        from += 4;
      } else {
        for (uint32_t i = 0; i < taken; ++i, from += step) {
          word |= uint32_t{static_cast<uint8_t>(*from)} << 8 * i;
        }
      }
      to[0] = dsp::add_even_bytes(both, word);
      to[1] = dsp::add_odd_bytes(both, word);
      count -= taken;
    }
  }

  // sums[i] = the products of the numbers and row i of `rows`, which lie `to_next` elements apart.
  // Sums wrap.
  static void add_rows(const uint32_t* numbers, const int8_t* w, size_t to_next, uint32_t count,
                       uint32_t rows, int32_t* sums) {
    for (; rows >= 2; rows -= 2, w += 2 * to_next, sums += 2) {
      int32_t first = 0, second = 0;
      const int8_t* a = w;
      const int8_t* b = w + to_next;
      const std::byte* x = bytes(numbers);
      for (uint32_t left = count / 4; left != 0; --left, a += 4, b += 4) {
        uint32_t even, odd;
        dsp::take_words(x, even, odd);
        add_word(dsp::load_word(a), even, odd, first);
        add_word(dsp::load_word(b), even, odd, second);
      }
      if (count % 4 != 0) {
        uint32_t even, odd;
        dsp::take_words(x, even, odd);
        add_word(rest(a, count % 4), even, odd, first);
        add_word(rest(b, count % 4), even, odd, second);
      }
      sums[0] = first;
      sums[1] = second;
    }
    if (rows != 0) sums[0] = add_row(numbers, w, count);
  }

  // Moves a state of `memory` bytes on by one, `newest` behind it; returns the products of what
  // it then is, less its zero point, and `times`.
  static int32_t remember(Dst<int8_t> to, Src<int8_t> from, const int8_t* times, uint32_t memory,
                          int32_t newest, int32_t zero_point) {
    const uint32_t both = dsp::pair_of(-zero_point, -zero_point);
    int32_t sum = 0;
    const auto add = [&](uint32_t word) {
      const uint32_t by = dsp::load_word(times);
      put<int8_t>(to, static_cast<const int8_t*>(static_cast<const void*>(&word)), 4);
      dsp::add_products(dsp::add_even_bytes(both, word), dsp::even_bytes(by), sum);
      dsp::add_products(dsp::add_odd_bytes(both, word), dsp::odd_bytes(by), sum);
      to += 4;
      times += 4;
      from += 4;
    };
    uint32_t left = memory;
    for (; left > 4; left -= 4) add(loaded<int8_t>(from + 1));
    if (left == 4) {
      add(loaded<int8_t>(from) >> 8 | static_cast<uint32_t>(newest) << 24);
      return sum;
    }
    for (; left != 0; --left, to += 1, from += 1, ++times) {
      const int32_t element = left > 1 ? int32_t{from[1]} : newest;
      *to = static_cast<int8_t>(element);
      dsp::add_lower_product(static_cast<uint32_t>(element - zero_point),
                             static_cast<uint32_t>(*times), sum);
    }
    return sum;
  }

  // The same of 16 bits, without a zero point.
  static int32_t remember(Dst<int16_t> to, Src<int16_t> from, const int16_t* times, uint32_t memory,
                          int32_t newest) {
    int32_t sum = 0;
    uint32_t left = memory;
    for (; left > 2; left -= 2, to += 2, times += 2, from += 2) {
      const uint32_t pair = loaded<int16_t>(from + 1);
      const uint32_t by = dsp::load_word(times);
      put<int16_t>(to, static_cast<const int16_t*>(static_cast<const void*>(&pair)), 2);
      dsp::add_products(pair, by, sum);
    }
    for (; left != 0; --left, to += 1, from += 1, ++times) {
      const int32_t element = left > 1 ? int32_t{from[1]} : newest;
      *to = static_cast<int16_t>(element);
      dsp::add_lower_product(static_cast<uint32_t>(element), static_cast<uint32_t>(*times), sum);
    }
    return sum;
  }

 private:
  static const std::byte* bytes(const uint32_t* words) {
    return static_cast<const std::byte*>(static_cast<const void*>(words));
  }

  template <typename T>
  static uint32_t loaded(Src<T> from) {
    uint32_t word;
    take<T>(static_cast<T*>(static_cast<void*>(&word)), from, sizeof word / sizeof(T));
    return word;
  }

  // One to three bytes, and zeros.
  static uint32_t rest(const int8_t* from, uint32_t count) {
    uint32_t word = 0;
    for (uint32_t i = 0; i < count; ++i) word |= uint32_t{static_cast<uint8_t>(from[i])} << 8 * i;
    return word;
  }

  static void add_word(uint32_t word, uint32_t even, uint32_t odd, int32_t& sum) {
    dsp::add_products(dsp::even_bytes(word), even, sum);
    dsp::add_products(dsp::odd_bytes(word), odd, sum);
  }

  static int32_t add_row(const uint32_t* numbers, const int8_t* w, uint32_t count) {
    int32_t sum = 0;
    for (; count >= 4; count -= 4, w += 4, numbers += 2) {
      add_word(dsp::load_word(w), numbers[0], numbers[1], sum);
    }
    if (count != 0) add_word(rest(w, count), numbers[0], numbers[1], sum);
    return sum;
  }
};

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
