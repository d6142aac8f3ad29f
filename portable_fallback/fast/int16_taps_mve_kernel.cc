// Copies what two places read, and multiplies eight numbers of a row and a column at once, run by
// run, as integer_taps_mve_kernel.cc does with bytes: two places by three columns are a tile. Sums
// of more products than 32 bits hold are added up in chunks of runs.
#include "portable_fallback/fast/int16_taps_mve_kernel.h"

#include "portable_fallback/fast/int16_finish_mve.h"
#include "portable_fallback/fast/int16_tile_mve.h"

namespace arenite {
namespace {

constexpr uint32_t kColumns = 24;  // whose sums are made, then their results: whole tiles

inline const int8_t* weights_of(const IntegerTaps& p, uint32_t column) {
  return static_cast<const int8_t*>(static_cast<const void*>(p.w)) + size_t{column} * p.depth;
}

inline bool lies_in(const TapAxis& axis, int32_t first) {
  const int32_t last = first + static_cast<int32_t>(axis.taps - 1) * axis.step;
  return axis.taps != 0 && static_cast<uint32_t>(first) < axis.input &&
         static_cast<uint32_t>(last) < axis.input;
}

// Copies what a place reads of a group whose channels are neighbors, if that lies in x.
[[gnu::noinline]] bool copy_inside(const IntegerTaps& p, uint32_t group, uint32_t place,
                                   int16_t* to) {
  const TapAxis &depth = p.axes[0], &height = p.axes[1], &width = p.axes[2];
  const int32_t left = width.first + static_cast<int32_t>(place * p.advance);
  if (p.x_c != 1 || !lies_in(depth, depth.first) || !lies_in(height, height.first) ||
      !lies_in(width, left)) {
    return false;
  }
  const auto step_of = [](const TapAxis& axis) {
    return static_cast<ptrdiff_t>(axis.step) * static_cast<ptrdiff_t>(axis.x_step);
  };
  const ptrdiff_t depth_step = step_of(depth), height_step = step_of(height);
  const ptrdiff_t width_step = step_of(width);
  const uint32_t channels = p.channels, taps = width.taps, length = p.runs.length;
  const uint32_t rest = whole_vectors(length) - length;
  // A tap is a run, or a line or more is.
  const uint32_t over = length == channels ? 0 : whole_vectors(channels) - channels;
  const uint32_t copied = length == channels ? 0 : taps * channels;
  uint32_t left_of_run = length;
  Src<int16_t> slice =
      as<int16_t>(p.x) + (group * channels + static_cast<uint32_t>(depth.first) * depth.x_step +
                          static_cast<uint32_t>(height.first) * height.x_step +
                          static_cast<uint32_t>(left) * width.x_step);
  for (uint32_t d = depth.taps; d != 0; --d, slice += depth_step) {
    Src<int16_t> line = slice;
    for (uint32_t h = height.taps; h != 0; --h, line += height_step) {
      to = copy_numbers(to, line, width_step, taps, channels, over);
      left_of_run -= copied;
      if (left_of_run == 0) {
        to += rest;
        left_of_run = length;
      }
    }
  }
  return true;
}

// Copies what one place reads of a group.
[[gnu::noinline]] void copy_taps(const IntegerTaps& p, uint32_t group, uint32_t place,
                                 int16_t* to) {
  const int32_t outside = p.outside;
  const size_t x_c = p.x_c;
  const uint32_t channels = p.channels, length = p.runs.length;
  const uint32_t rest = whole_vectors(length) - length;
  uint32_t left = length;
  const auto begin_tap = [&]() __attribute__((always_inline)) {
    if (left == 0) {
      to += rest;
      left = length;
    }
    left -= channels;
  };
  for_taps<int16_t>(
      p, group, place,
      [&](Src<int16_t> x) __attribute__((always_inline)) {
        begin_tap();
        if (x_c == 1) {
          to = copy_numbers(to, x, channels);
        } else {
          for (uint32_t c = channels; c != 0; --c, x += x_c) *to++ = *x;
        }
      },
      [&]() __attribute__((always_inline)) {
        begin_tap();
        to = fill_numbers(to, outside, channels);
      });
}

// Rows of weights of the columns of a tile: where fewer are left, the last one takes the place of
// those that there are not.
struct TileRows {
  TileRows(const int8_t* w, size_t depth, uint32_t left)
      : w0(w), w1(left > 1 ? w0 + depth : w0), w2(left > 2 ? w1 + depth : w1) {}
  const int8_t *w0, *w1, *w2;
};

// sums[place * kColumns + column] of `count` columns, rounded up to whole tiles.
[[gnu::noinline]] void add_columns(const IntegerTaps& p, uint32_t column, uint32_t count,
                                   const int16_t* row, const int16_t* next_row, int32_t* sums) {
  const TapRuns& all = p.runs;
  const Int16Runs line = {
      all.count[2], all.length,
      static_cast<ptrdiff_t>(all.step[2]) - static_cast<ptrdiff_t>(whole_vectors(all.length))};
  const size_t depth = p.depth;
  const int8_t* w = weights_of(p, column) + all.first;
  for (uint32_t left = count; left != 0; sums += 3, w += 3 * depth) {
    const TileRows rows(w, depth, left);
    const int16_t *x0 = row, *x1 = next_row;
    Int16Tile tile;
    for (uint32_t d = 0; line.count != 0 && d < all.count[0]; ++d) {
      uint32_t k = d * all.step[0];
      for (uint32_t h = all.count[1]; h != 0; --h, k += all.step[1]) {
        tile.add(rows.w0 + k, rows.w1 + k, rows.w2 + k, x0, x1, line);
      }
    }
    tile.put(sums, kColumns);
    left -= left < 3 ? left : 3;
  }
}

// Results of sums of 64 bits, of places whose rows lie `numbers` numbers apart.
[[gnu::noinline]] void compute_wide(const IntegerTaps& p, const Int16Results& results,
                                    uint32_t column, uint32_t count, uint32_t places,
                                    uint32_t numbers, Dst<int16_t> y) {
  const auto* const row = static_cast<const int16_t*>(static_cast<const void*>(p.rows));
  const uint32_t rest = whole_vectors(p.runs.length) - p.runs.length;
  for (uint32_t j = 0; j < count; j += 3) {
    const uint32_t columns = count - j < 3 ? count - j : 3;
    const TileRows rows(weights_of(p, column), p.depth, columns);
    const int16_t *x0 = row, *x1 = row + (places - 1) * numbers;
    int64_t sums[2][3] = {};
    for_runs(p.runs, [&](uint32_t k) {
      for (uint32_t left = p.runs.length; left != 0;) {
        const uint32_t chunk = left < kInt16ChunkDepth ? left : kInt16ChunkDepth;
        int32_t parts[6];
        Int16Tile tile;
        tile.add(rows.w0 + k, rows.w1 + k, rows.w2 + k, x0, x1, chunk);
        tile.put(parts, 3);
        for (uint32_t i = 0; i < 6; ++i) sums[i / 3][i % 3] += parts[i];
        k += chunk;
        x0 += chunk;
        x1 += chunk;
        left -= chunk;
      }
      x0 += rest;
      x1 += rest;
    });
    for (uint32_t i = 0; i < columns; ++i, ++column) {
      const int64_t bias = results.bias_of(column);
      for (uint32_t place = 0; place < places; ++place) {
        const int32_t result = results.finish(results, bias + sums[place][i], column);
        y[(j + i) * p.y_c + place * p.y_w] = static_cast<int16_t>(result);
      }
    }
  }
}

// Computes the columns of a group at one place or two.
void compute_group(const IntegerTaps& p, const Int16Results& results, uint32_t group,
                   uint32_t place, uint32_t places) {
  const uint32_t numbers = count_of(p.runs) * whole_vectors(p.runs.length);
  auto* const rows = static_cast<int16_t*>(static_cast<void*>(p.rows));
  for (uint32_t i = 0; i < places; ++i) {
    int16_t* const row = rows + i * numbers;
    if (!copy_inside(p, group, place + i, row)) copy_taps(p, group, place + i, row);
  }
  const Dst<int16_t> y = static_cast<int16_t*>(static_cast<void*>(p.y));
  const uint32_t end = (group + 1) * p.columns;
  for (uint32_t column = group * p.columns; column < end; column += kColumns) {
    const uint32_t count = end - column < kColumns ? end - column : kColumns;
    const Dst<int16_t> to = y + (place * p.y_w + column * p.y_c);
    if (results.sums == Int16Sums::kWide) {
      compute_wide(p, results, column, count, places, numbers, to);
      continue;
    }
    int32_t sums[2 * kColumns];
    add_columns(p, column, count, rows, rows + (places - 1) * numbers, sums);
    finish_int16(results, column, count, sums, kColumns, places, to, p.y_c, p.y_w);
  }
}

}  // namespace

void add_int16_taps_mve(const IntegerTaps& p, const Int16Results& results, uint32_t place,
                        uint32_t end) {
  while (place < end) {
    const uint32_t places = int16_mve_taps_at_once(end - place);
    for (uint32_t group = 0; group < p.groups; ++group) {
      compute_group(p, results, group, place, places);
    }
    place += places;
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
