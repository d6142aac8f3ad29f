// Widens a vector, or a part of one, to pairs of 16-bit numbers once, and reads each pair for the
// products of four columns:
//
//   pairs   x0 x1 | x2 x3 | ...
//   w       a0 b0 a1 b1 | a2 b2 a3 b3 | ...   bytes of columns a and b: even ones are a's pair
#include "portable_fallback/fast/integer_vector_dsp_kernel.h"

#include "portable_fallback/fast/integer_finish_dsp.h"

namespace arenite {
namespace {

inline int32_t wrapped_sum(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}

inline void add_word(uint32_t word, uint32_t pair, int32_t& first, int32_t& second) {
  dsp::add_products(dsp::even_bytes(word), pair, first);
  dsp::add_products(dsp::odd_bytes(word), pair, second);
}

// Adds the products of four columns; the words of the last two are `next` bytes on. w is aligned to
// words, and so is next.
[[gnu::noinline]] void add_words_of_four(const std::byte* w, size_t next, const uint32_t* pairs,
                                         uint32_t words, int32_t* sums) {
  const std::byte* w_next = w + next;
  const auto* x = static_cast<const std::byte*>(static_cast<const void*>(pairs));
  int32_t s0 = sums[0], s1 = sums[1], s2 = sums[2], s3 = sums[3];
  const auto add_two = [&]() __attribute__((always_inline)) {
    uint32_t pair0, pair1, word0, word1;
    dsp::take_words(x, pair0, pair1);
    dsp::take_words(w, word0, word1);
    add_word(word0, pair0, s0, s1);
    add_word(word1, pair1, s0, s1);
    dsp::take_words(w_next, word0, word1);
    add_word(word0, pair0, s2, s3);
    add_word(word1, pair1, s2, s3);
  };
  if (words % 4 >= 2) add_two();
  for (uint32_t left = words / 4; left != 0; --left) {
    add_two();
    add_two();
  }
  if (words % 2 != 0) {
    const uint32_t pair = dsp::load_word(x);
    add_word(dsp::load_word(w), pair, s0, s1);
    add_word(dsp::load_word(w_next), pair, s2, s3);
  }
  sums[0] = s0;
  sums[1] = s1;
  sums[2] = s2;
  sums[3] = s3;
}

// The bytes between pairs of columns, if the weights of all are aligned to words, which they are of
// an even depth alone; else 0.
inline size_t aligned_step(const VectorProducts& p) {
  const size_t step = size_t{2} * p.depth;
  return ((reinterpret_cast<uintptr_t>(p.w) | step) & 3) == 0 ? step : 0;
}

// Adds the products of two columns.
[[gnu::noinline]] void add_words_of_two(const VectorProducts& p, uint32_t column,
                                        int32_t (&sums)[2]) {
  const uint32_t* x = p.pairs;
  const std::byte* w = p.w + size_t{column} * p.depth;
  for (uint32_t words = p.count / 2; words != 0; --words, w += 4) {
    add_word(dsp::load_word(w), *x++, sums[0], sums[1]);
  }
  if (p.count % 2 == 0) return;
  uint16_t half;
  std::memcpy(&half, w, sizeof half);
  add_word(half, *x, sums[0], sums[1]);
}

// Computes whole fours of columns, if their weights are aligned; returns the end of them.
uint32_t multiply_fours(const VectorProducts& p, const IntegerResults& results) {
  const size_t next = aligned_step(p);
  const std::byte* w = p.w;
  const int32_t* bias = results.bias;
  const int32_t* multiplier = results.multipliers;
  const int8_t* shift = results.shifts;
  const size_t factor_step = results.factor_step, y_step = p.y_step;
  const int32_t centre = 2 * results.zero_point + 1;
  Dst<int8_t> y = p.y;
  uint32_t column = 0;
  if (next == 0) return column;
  for (; column + 4 <= p.columns; column += 4, w += 2 * next) {
    int32_t sums[4];
    for (auto& sum : sums) {
      sum = wrapped_sum(*bias, p.added);
      bias += results.bias_step;
    }
    add_words_of_four(w, next, p.pairs, p.count / 2, sums);
    if (!results.small || (results.has_constant && constant_four(results, column) != 0)) {
      finish_any_dsp(results, column, 4, sums, 1, y, y_step, 0);
      multiplier += 4 * factor_step;
      shift += 4 * factor_step;
      y += 4 * y_step;
      continue;
    }
    for (const int32_t sum : sums) {
      *y = SmallFactor(*multiplier, *shift, centre).result(dsp::doubled(sum));
      multiplier += factor_step;
      shift += factor_step;
      y += y_step;
    }
  }
  return column;
}

}  // namespace

int32_t result_of_bias_dsp(const IntegerResults& results, uint32_t output) {
  return result_of_any(results, output, results.bias[output * results.bias_step]);
}

[[gnu::noinline]] void finish_any_dsp(const IntegerResults& results, uint32_t output,
                                      uint32_t count, const int32_t* sums, uint32_t places,
                                      Dst<int8_t> y, size_t y_c, size_t y_w) {
  finish<false>(results, output, count, sums, places, {y, y_c, y_w});
}

[[gnu::cold]] void copy_vector_dsp(const VectorSource& source, uint32_t* pairs) {
  Src<std::byte> x = source.x;
  uint32_t left = source.count;
  if (source.step == 1) {
    const uint32_t added = dsp::pair_of(source.added, source.added);
    for (; left >= 4; left -= 4, x += 4, pairs += 2) {
      uint32_t word;
      take(static_cast<std::byte*>(static_cast<void*>(&word)), x, sizeof word);
      const uint32_t even = dsp::add_even_bytes(added, word ^ source.flip);
      const uint32_t odd = dsp::add_odd_bytes(added, word ^ source.flip);
      pairs[0] = dsp::lower_pair(even, odd);
      pairs[1] = dsp::upper_pair(even, odd);
    }
  }
  for (bool is_second = false; left != 0; --left, x += source.step, is_second = !is_second) {
    const auto number = static_cast<int8_t>(static_cast<uint32_t>(*x) ^ source.flip) + source.added;
    if (is_second) {
      *pairs = dsp::pair_of(static_cast<int32_t>(*pairs), number);
      ++pairs;
    } else {
      *pairs = dsp::pair_of(number, 0);
    }
  }
}

int32_t sum_vector_dsp(const uint32_t* pairs, uint32_t count) {
  int32_t sum = 0;
  for (uint32_t words = count / 2; words != 0; --words) {
    dsp::add_products(*pairs++, 0x00010001, sum);
  }
  return count % 2 != 0 ? sum + dsp::load_lower(pairs) : sum;
}

void add_vector_dsp(const VectorProducts& p, int32_t* sums) {
  const std::byte* w = p.w;
  uint32_t left = p.columns;
  if (const size_t next = aligned_step(p); next != 0) {
    for (; left >= 4; left -= 4, sums += 4, w += 2 * next) {
      add_words_of_four(w, next, p.pairs, p.count / 2, sums);
    }
  }
  for (; left != 0; left -= left == 1 ? 1 : 2, sums += 2) {
    int32_t two[2] = {sums[0], 0};
    add_words_of_two(p, p.columns - left, two);
    sums[0] = two[0];
    if (left != 1) sums[1] = wrapped_sum(sums[1], two[1]);
  }
}

void multiply_vector_dsp(const VectorProducts& p, const IntegerResults& results) {
  for (uint32_t column = multiply_fours(p, results); column < p.columns; column += 2) {
    const uint32_t count = column + 1 == p.columns ? 1 : 2;
    const int32_t* bias = results.bias + column * results.bias_step;
    int32_t sums[2] = {wrapped_sum(*bias, p.added), 0};
    if (count == 2) sums[1] = wrapped_sum(bias[results.bias_step], p.added);
    add_words_of_two(p, column, sums);
    finish_any_dsp(results, column, count, sums, 1, p.y + column * p.y_step, p.y_step, 0);
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
