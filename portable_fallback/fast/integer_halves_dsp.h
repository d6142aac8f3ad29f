// Widens what a few places read to pairs of 16-bit numbers, and multiplies two at once by weights
// of 4 bits:
//
//   rows   x1 x3 of place 0 | x1 x3 of place 1 | ... | x0 x2 of place 0 | ... | x5 x7 of place 0
//   w      a0 a1, b0 b1, a2 a3, b2 b3 | a4 a5, ...
//
// The bytes of w hold two weights of column a or b, the first in the lower half.
//
// 1. A byte whose lower half is made 0 is 16 times the weight in its upper half: of a word SXTB16
//    makes the pairs a1 a3 and b1 b3, 16 times each, and of the word shifted up a0 a2 and b0 b2.
// 2. So sums are 16 times those of the weights. They begin at 16 times the bias, and where a result
//    would double its sum, it divides by 8.
// 3. A tile of two columns by four places keeps its sums in registers, as integer_products_dsp.h
//    does: 29 instructions for 32 products, there 26. A single place is four columns at once.
#pragma once

#include "portable_fallback/fast/integer_copies_dsp.h"
#include "portable_fallback/fast/integer_finish_dsp.h"
#include "portable_fallback/fast/integer_halves_dsp_kernel.h"
#include "portable_fallback/fast/integer_tile_registers_dsp.h"
#include "portable_fallback/fast/integer_vector_dsp_kernel.h"

namespace arenite {
namespace {

constexpr uint32_t kUpperHalves = 0xf0f0f0f0;
constexpr uint32_t kHalfScale = 4;  // bits

inline int32_t wrapped_sum(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}

// The word of the last k, of which there are one or two.
inline uint32_t load_two(const std::byte* w) {
  uint16_t half;
  std::memcpy(&half, w, sizeof half);
  return half;
}

// Weights of two columns, a and b, for four k.
struct HalvesShape {
  explicit HalvesShape(uint32_t depth)
      : words((depth + 1) / 4),
        has_two(depth % 4 == 1 || depth % 4 == 2),
        pair_bytes(size_t{4} * words + (has_two ? 2 : 0)) {}

  uint32_t words;  // whole ones
  bool has_two;    // behind them one or two k are left
  size_t pair_bytes;
};

// Sixteen times the sums of two columns, a and b, at four places.
struct HalvesTile {
  int32_t a[4] = {}, b[4] = {};

  // Adds the products of a word of w.
  void add(uint32_t word, const uint32_t* x) {
    add_upper(word & kUpperHalves, x);
    add_upper(word << kHalfScale & kUpperHalves, x + 4);
  }

 private:
  void add_upper(uint32_t word, const uint32_t* x) {
    const uint32_t even = dsp::even_bytes(word);
    const uint32_t odd = dsp::odd_bytes(word);
    for (uint32_t i = 0; i < 4; ++i) {
      dsp::add_products(even, x[i], a[i]);
      dsp::add_products(odd, x[i], b[i]);
    }
  }
};

#if defined(__ARM_ARCH_7EM__) && defined(__OPTIMIZE__)
// The products of four numbers of each place, x1 x3 and then x0 x2, by the upper half of each byte
// of a word of w and by the lower one. `load` and `load_last` take the word to r11; twice, as no
// register is left to keep it. 29 instructions of four bytes.
#define ARENITE_ADD_UPPER           \
  "and.w r11, r11, #0xf0f0f0f0\n\t" \
  "sxtb16 r10, r11\n\t"             \
  "sxtb16 r11, r11, ror #8\n\t"     \
  "smlad r0, r10, r12, r0\n\t"      \
  "smlad r4, r11, r12, r4\n\t"      \
  "smlad r1, r10, lr, r1\n\t"       \
  "smlad r5, r11, lr, r5\n\t"       \
  "ldrd r12, lr, [r9], #8\n\t"      \
  "smlad r2, r10, r12, r2\n\t"      \
  "smlad r6, r11, r12, r6\n\t"      \
  "smlad r3, r10, lr, r3\n\t"       \
  "smlad r7, r11, lr, r7\n\t"
#define ARENITE_ADD_HALVES(load, load_last)                     \
  load "ldrd r12, lr, [r9], #8\n\t" ARENITE_ADD_UPPER load_last \
       "ldrd r12, lr, [r9], #8\n\t"                             \
       "lsl.w r11, r11, #4\n\t" ARENITE_ADD_UPPER
#define ARENITE_ADD_WORD ARENITE_ADD_HALVES("ldr.w r11, [r8]\n\t", "ldr.w r11, [r8], #4\n\t")
#endif

// Adds the products of the words from x to their end, behind which w then lies.
inline void add_words_of_halves(const std::byte*& w, const uint32_t* x, const uint32_t* end,
                                HalvesTile& tile) {
#if defined(__ARM_ARCH_7EM__) && defined(__OPTIMIZE__)
  if (x == end) return;
  HalvesTile* to = &tile;
  asm volatile(ARENITE_LOAD_TILE "1:\n\t" ARENITE_ADD_WORD
                                 "ldr r10, %[end]\n\t"
                                 "cmp r9, r10\n\t"
                                 "bne 1b\n\t"
                                 "ldr r10, %[to]\n\t"
                                 "stm r10, {r0-r7}\n\t"
                                 "str r8, %[w]"
               : [w] "+m"(w), [x] "+m"(x), [to] "+m"(to), [end] "+m"(end)
               :
               : ARENITE_TILE_REGISTERS);
#else
  for (; x != end; w += 4, x += 8) tile.add(dsp::load_word(w), x);
#endif
}

// Pairs of columns that follow each other, at four places, with small results. The next pair's is
// what changes from one pair to the next.
struct HalvesRun {
  const std::byte* w;    // the next pair's
  const uint32_t* rows;  // whose words end there
  const uint32_t* end;
  // Four words are a round, and the first begins at one of them: so many bytes of instructions are
  // left out.
  uint32_t left_out;
  const int32_t* bias;  // the next pair's, and bytes between columns
  size_t bias_step;
  const int8_t* shifts;  // the next pair's, and elements between columns
  size_t factor_step;
  const int32_t* multipliers;
  int32_t centres[2];  // twice the zero point of each column of a pair, plus 1
  uint32_t rest;       // kTwoNumbers, kScaledPlaces
  size_t y_c;
  Dst<int8_t> y;  // the next pair's
  size_t y_w;
  uint32_t pairs;
  int32_t of_places[4];  // what each place adds to its sums, times 16
};
// What is added to sums behind the words: the products of half a word, and what each place adds.
constexpr uint32_t kTwoNumbers = 1, kScaledPlaces = 2;

#if defined(__ARM_ARCH_7EM__) && defined(__OPTIMIZE__)
// SmallFactor::result() of 16 times a sum at y: r8 holds `added`, r9 `before`, r10 the multiplier.
#define ARENITE_PUT(sum, y) \
  "asr " sum ", " sum       \
  ", #3\n\t"                \
  "add lr, r8, " sum        \
  ", asr #31\n\t"           \
  "smmlar " sum ", " sum    \
  ", r10, lr\n\t"           \
  "asr " sum ", " sum       \
  ", r9\n\t"                \
  "ssat " sum ", #8, " sum  \
  ", asr #1\n\t"            \
  "strb " sum ", " y "\n\t"
#define ARENITE_PUT_FOUR(sum0, sum1, sum2, sum3)   \
  ARENITE_PUT(sum0, "[r11]")                       \
  ARENITE_PUT(sum1, "[r11, r12]")                  \
  ARENITE_PUT(sum2, "[r11, r12, lsl #1]")          \
  "add r11, r12\n\t" ARENITE_PUT(sum3,             \
                                 "[r11, r12, lsl " \
                                 "#1]")

// `run` lies on the caller's stack, which is where the loop finds it.
[[gnu::always_inline]] inline void compute_pairs_of_halves(HalvesRun& run) {
  asm volatile(
      "1:\n\t"
      "ldrd r8, r9, %[bias]\n\t"
      "ldr r0, [r8]\n\t"
      "ldr r4, [r8, r9]\n\t"
      "add r8, r8, r9, lsl #1\n\t"
      "str r8, %[bias]\n\t"
      "ldrd r8, r9, %[w]\n\t"
      "lsl r0, r0, #4\n\t"
      "lsl r4, r4, #4\n\t"
      "mov r1, r0\n\t"
      "mov r2, r0\n\t"
      "mov r3, r0\n\t"
      "mov r5, r4\n\t"
      "mov r6, r4\n\t"
      "mov r7, r4\n\t"
      "ldr r10, %[left_out]\n\t"
      "add pc, r10\n\t"
      "nop\n\t"  // pc reads as four bytes on
      "2:\n\t"   //
      ARENITE_ADD_WORD ARENITE_ADD_WORD ARENITE_ADD_WORD ARENITE_ADD_WORD
      "ldr r10, %[end]\n\t"
      "cmp r9, r10\n\t"
      "bne.w 2b\n\t"
      "ldr r10, %[rest]\n\t"
      "cmp r10, #0\n\t"
      "beq 3f\n\t"
      "tst r10, #1\n\t"
      "beq 4f\n\t"  //
      ARENITE_ADD_HALVES("ldrh r11, [r8]\n\t", "ldrh r11, [r8], #2\n\t")
      "ldr r10, %[rest]\n\t"
      "4:\n\t"
      "tst r10, #2\n\t"
      "beq 3f\n\t"
      "ldrd r10, r11, %[of_places]\n\t"
      "ldrd r12, lr, %[of_last_places]\n\t"
      "add r0, r10\n\t"
      "add r1, r11\n\t"
      "add r2, r12\n\t"
      "add r3, lr\n\t"
      "add r4, r10\n\t"
      "add r5, r11\n\t"
      "add r6, r12\n\t"
      "add r7, lr\n\t"
      "3:\n\t"
      "str r8, %[w]\n\t"
      "ldr r8, %[shifts]\n\t"
      "ldrsb r9, [r8]\n\t"
      "ldr r8, %[multipliers]\n\t"
      "ldr r10, [r8]\n\t"
      "ldr r8, %[centre_a]\n\t"
      "mvn r9, r9\n\t"
      "lsl r8, r8, r9\n\t"
      "ldrd r11, r12, %[y]\n\t"  //
      ARENITE_PUT_FOUR("r0", "r1", "r2", "r3")
      "ldrd r0, r1, %[shifts]\n\t"
      "ldrsb r9, [r0, r1]\n\t"
      "add r0, r0, r1, lsl #1\n\t"
      "str r0, %[shifts]\n\t"
      "ldr r0, %[multipliers]\n\t"
      "ldr r10, [r0, r1, lsl #2]\n\t"
      "add r0, r0, r1, lsl #3\n\t"
      "str r0, %[multipliers]\n\t"
      "ldr r8, %[centre_b]\n\t"
      "mvn r9, r9\n\t"
      "lsl r8, r8, r9\n\t"
      "ldrd r0, r1, %[y_c]\n\t"
      "add r11, r1, r0\n\t"
      "add r1, r11, r0\n\t"
      "str r1, %[y]\n\t"  //
      ARENITE_PUT_FOUR("r4", "r5", "r6", "r7")
      "ldr r0, %[pairs]\n\t"
      "subs r0, #1\n\t"
      "str r0, %[pairs]\n\t"
      "bne.w 1b"
      : [w] "+m"(run.w), [bias] "+m"(run.bias), [shifts] "+m"(run.shifts),
        [multipliers] "+m"(run.multipliers), [y] "+m"(run.y), [pairs] "+m"(run.pairs)
      : [left_out] "m"(run.left_out), [end] "m"(run.end), [rest] "m"(run.rest),
        [centre_a] "m"(run.centres[0]), [centre_b] "m"(run.centres[1]),
        [y_c] "m"(run.y_c), [of_places] "m"(run.of_places[0]),
        [of_last_places] "m"(run.of_places[2]), "m"(run)
      : ARENITE_TILE_REGISTERS);
}
#undef ARENITE_PUT_FOUR
#undef ARENITE_PUT
#undef ARENITE_TILE_REGISTERS
#undef ARENITE_LOAD_TILE
#undef ARENITE_ADD_WORD
#undef ARENITE_ADD_HALVES
#undef ARENITE_ADD_UPPER

#else

inline void put_column(const HalvesRun& run, uint32_t of_pair, const int32_t (&sums)[4],
                       Dst<int8_t> y) {
  const size_t at = of_pair * run.factor_step;
  const SmallFactor factor(run.multipliers[at], run.shifts[at], run.centres[of_pair]);
  const auto bias = static_cast<int32_t>(
      static_cast<uint32_t>(run.bias[of_pair * run.bias_step / sizeof(int32_t)]) << kHalfScale);
  for (uint32_t i = 0; i < 4; ++i, y += run.y_w) {
    const int32_t sum = wrapped_sum(wrapped_sum(bias, run.of_places[i]), sums[i]);
    *y = factor.result(sum >> (kHalfScale - 1));
  }
}

inline void compute_pairs_of_halves(HalvesRun& run) {
  for (; run.pairs != 0; --run.pairs) {
    HalvesTile tile;
    add_words_of_halves(run.w, run.rows, run.end, tile);
    if ((run.rest & kTwoNumbers) != 0) {
      tile.add(load_two(run.w), run.end);
      run.w += 2;
    }
    put_column(run, 0, tile.a, run.y);
    put_column(run, 1, tile.b, run.y + run.y_c);
    run.bias += 2 * run.bias_step / sizeof(int32_t);
    run.shifts += 2 * run.factor_step;
    run.multipliers += 2 * run.factor_step;
    run.y += 2 * run.y_c;
  }
}

#endif

// Whether results are of the whole range of int8.
inline bool has_all_results(const IntegerResults& results) {
  return results.low == -128 && results.high == 127;
}

// The pairs from a column on, an even one, of which each column is small, and none constant.
inline uint32_t plain_pairs_of_halves(const IntegerProducts& p, uint32_t column) {
  const IntegerResults& results = p.results;
  uint32_t end = column;
  while (end + 2 <= p.columns && constant_pair(results, end) == 0 &&
         (results.small || (is_small(results, end) && is_small(results, end + 1)))) {
    end += 2;
  }
  return (end - column) / 2;
}

// The factors of a pair of which one column is constant and the other small: a factor of 0 makes a
// column its own zero point.
struct MixedHalves {
  int32_t multipliers[2];
  int8_t shifts[2];

  void set(const IntegerResults& results, uint32_t column, uint32_t constant, HalvesRun& run) {
    for (uint32_t j = 0; j < 2; ++j) {
      const bool is_constant = (constant >> j & 1) != 0;
      const size_t at = (column + j) * results.factor_step;
      multipliers[j] = is_constant ? 0 : results.multipliers[at];
      shifts[j] = is_constant ? int8_t{-1} : results.shifts[at];
      if (is_constant) run.centres[j] = 2 * result_of_bias_dsp(results, column + j) + 1;
    }
    run.multipliers = multipliers;
    run.shifts = shifts;
    run.factor_step = 1;
    run.pairs = 1;
  }
};

// The factor of an output that is 1/2 or more, up to 8, as those of few bits may be: sums that are
// below 2^27 are doubled up to four times, and rounded once.
struct LargeFactor {
  static bool takes(const IntegerResults& results, uint32_t output) {
    constexpr uint32_t kLeftMax = 3;
    const int32_t bias = results.bias[output * results.bias_step];
    const int32_t shift = results.shifts[output * results.factor_step];
    return results.rounds_twice && static_cast<uint32_t>(shift) <= kLeftMax &&
           static_cast<uint32_t>(bias ^ (bias >> 31)) < results.small_bias_end;
  }
  LargeFactor(const IntegerResults& results, uint32_t output)
      : multiplier(results.multipliers[output * results.factor_step]),
        scale(2 << results.shifts[output * results.factor_step]),
        zero_point(results.zero_point) {}

  int32_t result(int32_t sum) const {
    return dsp::add_high_product(sum * scale, multiplier, zero_point);
  }

  int32_t multiplier, scale, zero_point;
};

// Results of any kind of sums[count][places].
template <bool kOnce>
inline void finish_halves(const IntegerResults& results, uint32_t output, uint32_t count,
                          const int32_t* sums, uint32_t places, Dst<int8_t> y, size_t y_c,
                          size_t y_w) {
  for (; count != 0; --count, ++output, sums += places, y += y_c) {
    if (!LargeFactor::takes(results, output)) {
      finish_any_dsp(results, output, 1, sums, places, y, 0, y_w);
      continue;
    }
    const LargeFactor factor(results, output);
    for (uint32_t i = 0; i < places; ++i) {
      y[i * y_w] = static_cast<int8_t>(limited(factor.result(sums[i]), results.low, results.high));
    }
  }
}

// Computes up to two columns of any kind at four places.
template <bool kOnce>
[[gnu::noinline]] void compute_any_of_halves(const IntegerProducts& p, const HalvesRun& run,
                                             uint32_t column, uint32_t count, uint32_t constant,
                                             const int32_t* of_places) {
  const IntegerResults& results = p.results;
  if (constant == (1u << count) - 1) {
    Dst<int8_t> y = run.y;
    for (uint32_t j = 0; j < count; ++j, y += run.y_c) {
      const auto result = static_cast<int8_t>(result_of_bias_dsp(results, column + j));
      for (uint32_t i = 0; i < 4; ++i) y[i * run.y_w] = result;
    }
    return;
  }
  const std::byte* w = run.w;
  HalvesTile tile;
  add_words_of_halves(w, run.rows, run.end, tile);
  if ((run.rest & kTwoNumbers) != 0) tile.add(load_two(w), run.end);
  int32_t sums[2][4];
  for (uint32_t j = 0; j < count; ++j) {
    const int32_t bias = run.bias[j * results.bias_step];
    const int32_t* scaled = j == 0 ? tile.a : tile.b;
    for (uint32_t i = 0; i < 4; ++i) {
      sums[j][i] = wrapped_sum(wrapped_sum(bias, of_places[i]), scaled[i] >> kHalfScale);
    }
  }
  finish_halves<kOnce>(results, column, count, sums[0], 4, run.y, run.y_c, run.y_w);
}

// Computes all columns of four places, two at once; rows hold what these read.
template <bool kOnce>
[[gnu::noinline]] void compute_four_places_of_halves(const IntegerProducts& p, uint32_t depth,
                                                     const int32_t* of_places, Dst<int8_t> y) {
  const IntegerResults& results = p.results;
  const HalvesShape shape(depth);
  const int32_t centre = 2 * results.zero_point + 1;
  HalvesRun run = {p.w,
                   p.rows,
                   p.rows + size_t{8} * shape.words,
                   (0 - shape.words) % 4 * (29 * 4),
                   results.bias,
                   results.bias_step * sizeof(int32_t),
                   results.shifts,
                   results.factor_step,
                   results.multipliers,
                   {centre, centre},
                   (shape.has_two ? kTwoNumbers : 0) | (p.w_zero_point != 0 ? kScaledPlaces : 0),
                   p.y_c,
                   y,
                   p.y_w,
                   0,
                   {}};
  for (uint32_t i = 0; i < 4; ++i) {
    run.of_places[i] = static_cast<int32_t>(static_cast<uint32_t>(of_places[i]) << kHalfScale);
  }
  const bool makes_pairs = !kOnce && shape.words != 0 && has_all_results(results);
  MixedHalves mixed;
  for (uint32_t column = 0; column < p.columns;) {
    run.w = p.w + column / 2 * shape.pair_bytes;
    run.bias = results.bias + column * results.bias_step;
    run.shifts = results.shifts + column * results.factor_step;
    run.multipliers = results.multipliers + column * results.factor_step;
    run.factor_step = results.factor_step;
    run.y = y + column * p.y_c;
    run.pairs = makes_pairs ? plain_pairs_of_halves(p, column) : 0;
    if (run.pairs == 0) {
      const uint32_t count = column + 1 == p.columns ? 1 : 2;
      const uint32_t constant = constant_pair(results, column);
      const bool is_mixed = makes_pairs && count == 2 && (constant == 1 || constant == 2) &&
                            is_small(results, column + 2 - constant);
      if (!is_mixed) {
        compute_any_of_halves<kOnce>(p, run, column, count, constant, of_places);
        column += count;
        continue;
      }
      mixed.set(results, column, constant, run);
    }
    column += 2 * run.pairs;
    compute_pairs_of_halves(run);
    run.centres[0] = run.centres[1] = centre;
  }
}

// Adds a word's products of two columns to 16 times their sums.
inline void add_halves(uint32_t word, uint32_t mask, uint32_t upper, uint32_t lower, int32_t& first,
                       int32_t& second) {
  const uint32_t of_upper = word & mask;
  const uint32_t of_lower = word << kHalfScale & mask;
  dsp::add_products(dsp::even_bytes(of_upper), upper, first);
  dsp::add_products(dsp::odd_bytes(of_upper), upper, second);
  dsp::add_products(dsp::even_bytes(of_lower), lower, first);
  dsp::add_products(dsp::odd_bytes(of_lower), lower, second);
}

// Sixteen times the products of four columns at one place, whose rows x are.
[[gnu::noinline]] inline void multiply_four_by_halves(const std::byte* w, const HalvesShape& shape,
                                                      const uint32_t* rows, int32_t (&sums)[4]) {
  uint32_t mask = kUpperHalves;
  asm("" : "+r"(mask));  // else it is part of each instruction, which then cannot shift
  const std::byte* w_next = w + shape.pair_bytes;
  const auto* x = static_cast<const std::byte*>(static_cast<const void*>(rows));
  int32_t s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  const auto add_word = [&] {
    uint32_t upper, lower;
    dsp::take_words(x, upper, lower);
    add_halves(dsp::load_word(w), mask, upper, lower, s0, s1);
    add_halves(dsp::load_word(w_next), mask, upper, lower, s2, s3);
    w += 4;
    w_next += 4;
  };
  uint32_t words = shape.words;
  for (; words >= 4; words -= 4) {
    add_word();
    add_word();
    add_word();
    add_word();
  }
  for (; words != 0; --words) add_word();
  if (shape.has_two) {
    uint32_t upper, lower;
    dsp::take_words(x, upper, lower);
    add_halves(load_two(w), mask, upper, lower, s0, s1);
    add_halves(load_two(w_next), mask, upper, lower, s2, s3);
  }
  sums[0] = s0;
  sums[1] = s1;
  sums[2] = s2;
  sums[3] = s3;
}

// The same of one or two columns.
[[gnu::noinline, gnu::cold]] inline void multiply_two_by_halves(const std::byte* w,
                                                                const HalvesShape& shape,
                                                                const uint32_t* x,
                                                                int32_t (&sums)[2]) {
  for (uint32_t words = shape.words; words != 0; --words, w += 4, x += 2) {
    add_halves(dsp::load_word(w), kUpperHalves, x[0], x[1], sums[0], sums[1]);
  }
  if (shape.has_two) add_halves(load_two(w), kUpperHalves, x[0], x[1], sums[0], sums[1]);
}

// Computes all columns of one place.
template <bool kOnce>
[[gnu::noinline]] void compute_one_place_of_halves(const IntegerProducts& p, uint32_t depth,
                                                   int32_t of_place, Dst<int8_t> y) {
  const IntegerResults& results = p.results;
  const HalvesShape shape(depth);
  const int32_t centre = 2 * results.zero_point + 1;
  const size_t bias_step = results.bias_step, factor_step = results.factor_step, y_step = p.y_c;
  const std::byte* w = p.w;
  const int32_t* bias = results.bias;
  const int32_t* multiplier = results.multipliers;
  const int8_t* shift = results.shifts;
  uint32_t column = 0;
  for (; column + 4 <= p.columns; column += 4, w += 2 * shape.pair_bytes) {
    int32_t sums[4];
    multiply_four_by_halves(w, shape, p.rows, sums);
#pragma GCC unroll 4
    for (uint32_t j = 0; j < 4; ++j, bias += bias_step) {
      sums[j] = wrapped_sum(wrapped_sum(*bias, of_place), sums[j] >> kHalfScale);
    }
    if (kOnce || !results.small || (results.has_constant && constant_four(results, column) != 0)) {
      finish_halves<kOnce>(results, column, 4, sums, 1, y, y_step, 0);
      multiplier += 4 * factor_step;
      shift += 4 * factor_step;
      y += 4 * y_step;
      continue;
    }
#pragma GCC unroll 4
    for (uint32_t j = 0; j < 4; ++j, y += y_step) {
      *y = SmallFactor(*multiplier, *shift, centre).result(dsp::doubled(sums[j]));
      multiplier += factor_step;
      shift += factor_step;
    }
  }
  for (; column < p.columns; column += 2, w += shape.pair_bytes, y += 2 * y_step) {
    const uint32_t count = column + 1 == p.columns ? 1 : 2;
    int32_t sums[2] = {};
    multiply_two_by_halves(w, shape, p.rows, sums);
    for (uint32_t j = 0; j < count; ++j, bias += bias_step) {
      sums[j] = wrapped_sum(wrapped_sum(*bias, of_place), sums[j] >> kHalfScale);
    }
    finish_halves<kOnce>(results, column, count, sums, 1, y, y_step, 0);
  }
}

// What the zero point of the weights adds to all sums of each place.
[[gnu::noinline]] inline void add_zero_points_of_halves(const IntegerProducts& p, uint32_t depth,
                                                        uint32_t places, int32_t* of_places) {
  for (uint32_t i = 0; i < places; ++i) {
    const uint32_t* pair = p.rows + i;
    int32_t sum = 0;
    for (uint32_t words = 2 * words_of_halves(depth); words != 0; --words, pair += places) {
      dsp::add_products(*pair, 0x00010001, sum);
    }
    const uint32_t added = static_cast<uint32_t>(-p.w_zero_point) * static_cast<uint32_t>(sum);
    of_places[i] = static_cast<int32_t>(added);
  }
}

// What add_halves_dsp() says.
template <bool kOnce>
[[gnu::always_inline]] inline void compute_line_of_halves(const IntegerProducts& p, uint32_t line,
                                                          uint32_t place, uint32_t end) {
  const uint32_t depth = p.kernel_h * p.kernel_w * p.channels;
  while (place < end) {
    const uint32_t places = dsp_places_at_once(end - place);
    const Dst<int8_t> y = p.y + line * p.y_h + place * p.y_w;
    int32_t of_places[4] = {};
    if (places == 4) {
      copy_windows<4, Halves>(p, line, place);
      if (p.w_zero_point != 0) add_zero_points_of_halves(p, depth, 4, of_places);
      compute_four_places_of_halves<kOnce>(p, depth, of_places, y);
    } else {
      copy_windows<1, Halves>(p, line, place);
      if (p.w_zero_point != 0) add_zero_points_of_halves(p, depth, 1, of_places);
      compute_one_place_of_halves<kOnce>(p, depth, of_places[0], y);
    }
    place += places;
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
