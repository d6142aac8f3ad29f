// Computes products by weights of 4 bits: copies the windows of two places, parts their rows, and
// makes results of the sums of up to 48 columns at a time.
#include "portable_fallback/fast/integer_halves_mve_kernel.h"

#include "portable_fallback/fast/integer_copies_mve.h"
#include "portable_fallback/fast/integer_finish_mve.h"
#include "portable_fallback/fast/integer_halves_mve.h"

namespace arenite {
namespace {

const int8_t* halves_of(const IntegerProducts& p, uint32_t column, uint32_t depth) {
  return static_cast<const int8_t*>(static_cast<const void*>(p.w)) +
         size_t{column} * column_bytes(depth);
}

// Copies the windows of places to the end of what their rows take, then parts each into its row.
template <uint32_t kPlaces>
[[gnu::always_inline]] inline void copy_parted(const IntegerProducts& p, uint32_t line,
                                               uint32_t place, uint32_t depth,
                                               const InsidePlaces& inside, int8_t* rows) {
  const uint32_t padded = padded_row(depth);
  int8_t* const copies = rows + kPlaces * (padded - depth);
  if (p.one_pixel && p.x_c == 1 && p.x_w == depth) {
    mve::copy_bytes(copies, p.x + line * p.x_h + size_t{place} * depth, kPlaces * depth);
  } else if (place >= inside.begin && place + kPlaces <= inside.end) {
    copy_inside(p, line, place, kPlaces, copies);
  } else if (p.joined) {
    copy_joined(p, line, place, kPlaces, copies);
  } else {
    for (uint32_t i = 0; i < kPlaces; ++i) {
      copy_window(p, line, place + i, copies + size_t{i} * depth);
    }
  }
  for (uint32_t i = 0; i < kPlaces; ++i) {
    part_row(copies + size_t{i} * depth, depth, rows + size_t{i} * padded);
  }
}

template <uint32_t kGroups>
void add_groups(const int8_t* w, const int8_t* x, uint32_t depth, uint32_t count, int32_t* sums) {
  if (column_bytes(depth) % 16 == 0) {
    add_short_halves<kGroups, true>(w, x, depth, count, sums, kFinishedAtOnce);
  } else {
    add_short_halves<kGroups, false>(w, x, depth, count, sums, kFinishedAtOnce);
  }
}

void add_columns_of_two(const int8_t* w, const int8_t* x, uint32_t depth, uint32_t count,
                        int32_t* sums) {
  if (depth <= kHalvesGroup) return add_groups<1>(w, x, depth, count, sums);
  if (depth <= 2 * kHalvesGroup) return add_groups<2>(w, x, depth, count, sums);
  const uint32_t triples = count / 3;
  if (triples != 0) add_two_by_three_halves(w, x, depth, triples, sums, kFinishedAtOnce);
  for (uint32_t j = 3 * triples; j < count; ++j) {
    add_two_by_one_halves(w + size_t{j} * column_bytes(depth), x, depth, sums + j, kFinishedAtOnce);
  }
}

void add_columns_of_one(const int8_t* w, const int8_t* x, uint32_t depth, uint32_t count,
                        int32_t* sums) {
  const uint32_t fours = count / 4;
  if (fours != 0) add_one_by_four_halves(w, x, depth, fours, sums);
  for (uint32_t j = 4 * fours; j < count; ++j) {
    add_one_by_one_halves(w + size_t{j} * column_bytes(depth), x, depth, sums + j);
  }
}

// Computes places up to an end, so many at once; returns the first that is left.
template <uint32_t kPlaces>
uint32_t compute_places_of_halves(const IntegerProducts& p, uint32_t line, uint32_t place,
                                  uint32_t end, const HalvesWays& ways) {
  const uint32_t depth = depth_of(p);
  auto* rows = static_cast<int8_t*>(static_cast<void*>(p.rows));
  const InsidePlaces inside = inside_places(p, line);
  int32_t sums[kPlaces * kFinishedAtOnce];
  int32_t biases[kFinishedAtOnce];
  for (; place + kPlaces <= end; place += kPlaces) {
    copy_parted<kPlaces>(p, line, place, depth, inside, rows);
    const Dst<int8_t> y = p.y + line * p.y_h + place * p.y_w;
    for (uint32_t column = 0; column < p.columns; column += kFinishedAtOnce) {
      const uint32_t left = p.columns - column;
      const uint32_t count = left < kFinishedAtOnce ? left : kFinishedAtOnce;
      if (ways.folds) fold_halves_mve(p, column, count, biases);
      const int8_t* w = halves_of(p, column, depth);
      if constexpr (kPlaces == 2) {
        add_columns_of_two(w, rows, depth, count, sums);
      } else {
        add_columns_of_one(w, rows, depth, count, sums);
      }
      const PlacesOfSums from = {sums, ways.folds ? biases : p.results.bias + column, kPlaces,
                                 kFinishedAtOnce};
      const PlacesOfResults to = {y + column * p.y_c, p.y_c, p.y_w};
      if (ways.shifts_left) {
        finish<false, SumsOf::kSixteenShifted>(p.results, column, count, from, to);
      } else {
        finish<false, SumsOf::kSixteen>(p.results, column, count, from, to);
      }
    }
  }
  return place;
}

}  // namespace

void fold_halves_mve(const IntegerProducts& p, uint32_t column, uint32_t count, int32_t* biases) {
  const uint32_t depth = depth_of(p);
  const size_t step = p.results.bias_step;
  const int32_t* bias = p.results.bias + column * step;
  const int8_t* w = halves_of(p, column, depth);
  for (; count != 0; --count, bias += step, w += column_bytes(depth)) {
    const int32_t total = p.added == 0 ? 0 : sum_of_halves(w, depth) >> kHalvesScale;
    *biases++ = mve::sum(*bias, mve::product(p.added, total));
  }
}

void add_halves_mve(const IntegerProducts& p, uint32_t line, uint32_t place, uint32_t end,
                    const HalvesWays& ways) {
  place = compute_places_of_halves<2>(p, line, place, end, ways);
  compute_places_of_halves<1>(p, line, place, end, ways);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
