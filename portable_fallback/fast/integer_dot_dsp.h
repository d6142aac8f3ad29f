// Dot products of rows of int8 with one vector of 16 bits, four rows at a time, with Arm's DSP
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
  [[gnu::noinline]] static void add_rows(const uint32_t* numbers, const int8_t* w, size_t to_next,
                                         uint32_t count, uint32_t rows, int32_t* sums) {
    for (; rows >= 4; rows -= 4, w += 4 * to_next, sums += 4) {
      add_four(numbers, w, to_next, count, sums);
    }
    for (; rows != 0; --rows, w += to_next) *sums++ = add_row(numbers, w, count);
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
  [[gnu::noinline]] static uint32_t rest(const int8_t* from, uint32_t count) {
    uint32_t word = 0;
    for (uint32_t i = 0; i < count; ++i) word |= uint32_t{static_cast<uint8_t>(from[i])} << 8 * i;
    return word;
  }

  static void add_word(uint32_t word, uint32_t even, uint32_t odd, int32_t& sum) {
    dsp::add_products(dsp::even_bytes(word), even, sum);
    dsp::add_products(dsp::odd_bytes(word), odd, sum);
  }

  // A function of its own: its loop takes all registers.
  [[gnu::noinline]] static void add_four(const uint32_t* numbers, const int8_t* w, size_t to_next,
                                         uint32_t count, int32_t* sums) {
    int32_t a = 0, b = 0, c = 0, d = 0;
    uint32_t even, odd;
    const std::byte* x = bytes(numbers);
    const size_t to_last = 3 * to_next;
    const int8_t* const end = w + (count & ~3u);
#if defined(__ARM_ARCH_7EM__) && defined(__OPTIMIZE__)
#define ARENITE_ADD_ROW(sum, at)          \
  "ldr %[word], " at                      \
  "\n\t"                                  \
  "sxtb16 %[pair], %[word]\n\t"           \
  "sxtb16 %[word], %[word], ror #8\n\t"   \
  "smlad " sum ", %[pair], %[even], " sum \
  "\n\t"                                  \
  "smlad " sum ", %[word], %[odd], " sum "\n\t"
    if (w != end) {
      uint32_t word, pair;
      asm("1:\n\t"
          "ldrd %[even], %[odd], [%[x]], #8\n\t"  //
          ARENITE_ADD_ROW("%[d]", "[%[w], %[to_last]]")
          ARENITE_ADD_ROW("%[c]", "[%[w], %[to_next], lsl #1]")
          ARENITE_ADD_ROW("%[b]", "[%[w], %[to_next]]")
          ARENITE_ADD_ROW("%[a]", "[%[w]], #4")
          "cmp %[w], %[end]\n\t"
          "bne 1b"
          : [a] "+r"(a), [b] "+r"(b), [c] "+r"(c), [d] "+r"(d), [x] "+r"(x), [w] "+r"(w),
            [even] "=&r"(even), [odd] "=&r"(odd), [word] "=&r"(word), [pair] "=&r"(pair)
          : [to_next] "r"(to_next), [to_last] "r"(to_last), [end] "r"(end)
          : "cc", "memory");
    }
#undef ARENITE_ADD_ROW
#else
    for (; w != end; w += 4) {
      dsp::take_words(x, even, odd);
      add_word(dsp::load_word(w), even, odd, a);
      add_word(dsp::load_word(w + to_next), even, odd, b);
      add_word(dsp::load_word(w + 2 * to_next), even, odd, c);
      add_word(dsp::load_word(w + to_last), even, odd, d);
    }
#endif
    if (count % 4 != 0) {
      dsp::take_words(x, even, odd);
      add_word(rest(w, count % 4), even, odd, a);
      add_word(rest(w + to_next, count % 4), even, odd, b);
      add_word(rest(w + 2 * to_next, count % 4), even, odd, c);
      add_word(rest(w + to_last, count % 4), even, odd, d);
    }
    sums[0] = a;
    sums[1] = b;
    sums[2] = c;
    sums[3] = d;
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
