// Copies what two places read, and multiplies 16 numbers of a row and a column at once, run by run:
//
//   rows   x0 x1 x2 ... of place 0 | of place 1       bytes, one run behind the other
//   w      a0 a1 a2 ... | b0 b1 b2 ... | ...          bytes of columns a, b, ...: a run begins
//   anywhere
//
// A tile of two places by three columns adds a run to six registers: 5 loads for 96 products. Where
// fewer columns or places are left, the last one takes the place of those that there are not.
#include "portable_fallback/fast/integer_taps_mve_kernel.h"

#include "portable_fallback/fast/integer_roundings_mve.h"

namespace arenite {
namespace {

// The sums of some columns, whose results are made at once: whole tiles, and whole vectors.
constexpr uint32_t kColumnsAtOnce = kFinishedAtOnce;

inline const int8_t* weights_of(const IntegerTaps& p, uint32_t column) {
  return static_cast<const int8_t*>(static_cast<const void*>(p.w)) + size_t{column} * p.depth;
}

// Copies what one place reads of a group.
[[gnu::noinline]] void copy_taps(const IntegerTaps& p, uint32_t group, uint32_t place, int8_t* to) {
  const int32_t outside = (p.outside - p.added) ^ static_cast<int32_t>(p.flip & 0x80);
  const size_t x_c = p.x_c;
  const uint32_t channels = p.channels;
  for_taps(
      p, group, place,
      [&](Src<std::byte> x) __attribute__((always_inline)) {
        if (x_c == 1) {
          to = mve::copy_bytes(to, x, channels);
        } else {
          for (uint32_t c = channels; c != 0; --c, x += x_c) *to++ = static_cast<int8_t>(*x);
        }
      },
      [&]() __attribute__((always_inline)) { to = mve::fill_bytes(to, outside, channels); });
}

// The sums of two places by three columns.
struct Tile {
  int32_t a0 = 0, a1 = 0, b0 = 0, b1 = 0, c0 = 0, c1 = 0;

  // Adds a run's products: of rows x0 and x1 and columns a, b and c.
  void add(const int8_t* a, const int8_t* b, const int8_t* c, const int8_t* x0, const int8_t* x1,
           uint32_t length) {
#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)
    asm volatile(
        "ldr lr, %[length]\n\t"
        "wlstp.8 lr, lr, 2f\n\t"
        "1:\n\t"
        "vldrb.8 q0, [%[x0]], #16\n\t"
        "vldrb.8 q2, [%[a]], #16\n\t"
        "vmladava.s8 %[a0], q0, q2\n\t"
        "vldrb.8 q1, [%[x1]], #16\n\t"
        "vmladava.s8 %[a1], q1, q2\n\t"
        "vldrb.8 q3, [%[b]], #16\n\t"
        "vmladava.s8 %[b0], q0, q3\n\t"
        "vldrb.8 q2, [%[c]], #16\n\t"
        "vmladava.s8 %[b1], q1, q3\n\t"
        "vmladava.s8 %[c0], q0, q2\n\t"
        "vmladava.s8 %[c1], q1, q2\n\t"
        "letp lr, 1b\n\t"
        "2:"
        : [a0] "+Te"(a0), [a1] "+Te"(a1), [b0] "+Te"(b0), [b1] "+Te"(b1), [c0] "+Te"(c0),
          [c1] "+Te"(c1), [a] "+r"(a), [b] "+r"(b), [c] "+r"(c), [x0] "+r"(x0), [x1] "+r"(x1)
        : [length] "m"(length)
        : "lr", "q0", "q1", "q2", "q3", "memory");
#else
    for (; length != 0; --length, ++a, ++b, ++c, ++x0, ++x1) {
      a0 = mve::sum(a0, *a * *x0), a1 = mve::sum(a1, *a * *x1);
      b0 = mve::sum(b0, *b * *x0), b1 = mve::sum(b1, *b * *x1);
      c0 = mve::sum(c0, *c * *x0), c1 = mve::sum(c1, *c * *x1);
    }
#endif
  }
};

// sums[place * kColumnsAtOnce + column] of `count` columns, rounded up to whole tiles.
[[gnu::noinline]] void add_columns(const IntegerTaps& p, uint32_t column, uint32_t count,
                                   const int8_t* row, const int8_t* next_row, int32_t* sums) {
  const uint32_t length = p.runs.length;
  for (uint32_t j = 0; j < count; j += 3, sums += 3) {
    const int8_t* const a = weights_of(p, column + j);
    const int8_t* const b = j + 1 < count ? a + p.depth : a;
    const int8_t* const c = j + 2 < count ? b + p.depth : b;
    const int8_t* x0 = row;
    const int8_t* x1 = next_row;
    Tile tile;
    for_runs(
        p.runs, [&](uint32_t k) __attribute__((always_inline)) {
          tile.add(a + k, b + k, c + k, x0, x1, length);
          x0 += length;
          x1 += length;
        });
    sums[0] = tile.a0, sums[1] = tile.b0, sums[2] = tile.c0;
    sums[kColumnsAtOnce] = tile.a1;
    sums[kColumnsAtOnce + 1] = tile.b1;
    sums[kColumnsAtOnce + 2] = tile.c1;
  }
}

// Computes the columns of a group at one place or two.
void compute_group(const IntegerTaps& p, uint32_t group, uint32_t place, uint32_t places) {
  const uint32_t products = count_of(p.runs) * p.runs.length;
  auto* const rows = static_cast<int8_t*>(static_cast<void*>(p.rows));
  for (uint32_t i = 0; i < places; ++i) copy_taps(p, group, place + i, rows + i * products);
  if (p.flip != 0) mve::flip_bytes(rows, places * products);
  int32_t of_places[2] = {};
  if (p.w_zero_point != 0) {
    const int32_t of_zero_point = mve::product(p.added, static_cast<int32_t>(products));
    for (uint32_t i = 0; i < places; ++i) {
      const int32_t sum = mve::sum_of_bytes(rows + i * products, products);
      of_places[i] = mve::product(-p.w_zero_point, mve::sum(sum, of_zero_point));
    }
  }
  const int8_t* const next_row = rows + (places - 1) * products;
  const uint32_t end = (group + 1) * p.columns;
  for (uint32_t column = group * p.columns; column < end; column += kColumnsAtOnce) {
    const uint32_t count = end - column < kColumnsAtOnce ? end - column : kColumnsAtOnce;
    int32_t sums[2 * kColumnsAtOnce];
    add_columns(p, column, count, rows, next_row, sums);
    if (p.w_zero_point != 0) {
      for (uint32_t i = 0; i < places; ++i) {
        mve::add_to_all(of_places[i], count, sums + i * kColumnsAtOnce);
      }
    }
    finish_any<false>(p.results, column, count,
                      {sums, p.results.bias + column, places, kColumnsAtOnce},
                      {p.y + (place * p.y_w + column * p.y_c), p.y_c, p.y_w});
  }
}

}  // namespace

void fold_taps_mve(const IntegerTaps& p, int32_t* biases) {
  const size_t step = p.results.bias_step;
  const uint32_t columns = p.groups * p.columns;
  const int32_t* bias = p.results.bias;
  for (uint32_t column = 0; column < columns; ++column, bias += step) {
    const int8_t* const w = weights_of(p, column);
    int32_t sum = 0;
    if (p.added != 0) {
      for_runs(
          p.runs, [&](uint32_t k) __attribute__((always_inline)) {
            sum = mve::sum(sum, mve::sum_of_bytes(w + k, p.runs.length));
          });
    }
    biases[column] = mve::sum(*bias, mve::product(p.added, sum));
  }
}

void add_taps_mve(const IntegerTaps& p, uint32_t place, uint32_t end) {
  while (place < end) {
    const uint32_t places = mve_taps_at_once(end - place);
    for (uint32_t group = 0; group < p.groups; ++group) compute_group(p, group, place, places);
    place += places;
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
