// Compiles panels and columns for NEON with dot products. Of weights in rows, sixteen products of a
// place and a column are added at once.
#include "portable_fallback/fast/integer_dots_dotprod_kernel.h"

#include "portable_fallback/fast/integer_lanes_neon.h"

#if defined(__aarch64__) && defined(__ARM_FEATURE_DOTPROD)

#include "portable_fallback/fast/integer_columns.h"

namespace arenite {
namespace {

constexpr uint32_t kLanes = 16;

struct Tiles {
  using Row = SignedRow;
  static void prepare(uint32_t, int8_t*) {}

  template <uint32_t kRows>
  static void add(const int8_t* rows, const int8_t* w, uint32_t depth, uint32_t columns,
                  SumsOfColumns* sums) {
    const uint32_t row = dot_row(depth);
    for (uint32_t j = 0; j < columns; ++j, w += depth) {
      int32x4_t products[kRows];
      for (int32x4_t& product : products) product = vdupq_n_s32(0);
      // Rows have zeros behind their numbers.
      for (uint32_t k = 0; k < depth; k += kLanes) {
        const Bytes weights = load_bytes(w + k, depth - k);
        for (uint32_t i = 0; i < kRows; ++i) {
          products[i] = vdotq_s32(products[i], load_bytes(rows + size_t{i} * row + k), weights);
        }
      }
      for (uint32_t i = 0; i < kRows; ++i) sums[i][j] = vaddvq_s32(products[i]);
    }
  }

  static void finish(const IntegerProducts& p, const SumsOfPlaces& from, Dst<int8_t> y) {
    const bool done = with_way(p.results, [&]<Way kWay>() {
      for (uint32_t j = 0; j < from.count; j += kLanes) {
        const uint32_t count = from.count - j;
        const SixteenOutputs<kWay> outputs(p.results, from.column + j, count);
        for (uint32_t i = 0; i < from.places; ++i) {
          const Sixteen all = sum_of(load_sums(from.sums[i] + j, kLanes), all_of(from.added[i]));
          const Dst<int8_t> to = y + (i * p.y_w + j * p.y_c);
          const Bytes bytes = outputs.of(all);
          if (p.y_c == 1) {
            put_results<true>(bytes_of(bytes), count, to, 1);
          } else {
            put_results<false>(bytes_of(bytes), count, to, p.y_c);
          }
        }
      }
    });
    if (!done) finish_each(p, from, y);
  }
};

}  // namespace

void integer_dots_dotprod(const IntegerProducts& products, uint32_t line, uint32_t place,
                          uint32_t end) {
  add_dots<Tiles>(products, line, place, end);
}

void fold_dots_dotprod(const IntegerProducts& p, int32_t* biases) {
  const uint32_t depth = depth_of(p);
  const int8_t* w = weights_of(p);
  for (uint32_t j = 0; j < p.columns; ++j, w += depth) {
    int32x4_t sums = vdupq_n_s32(0);
    for (uint32_t k = 0; k < depth; k += kLanes) {
      sums = vdotq_s32(sums, load_bytes(w + k, depth - k), vdupq_n_s8(1));
    }
    const auto bias = static_cast<uint32_t>(p.results.bias[j * p.results.bias_step]);
    const auto sum = static_cast<uint32_t>(vaddvq_s32(sums));
    biases[j] = static_cast<int32_t>(bias + static_cast<uint32_t>(p.added) * sum);
  }
}

void integer_panels_dotprod(const IntegerProducts& products, uint32_t line, uint32_t place,
                            uint32_t end) {
  add_places(products, line, place, end);
}

void pack_panels_dotprod(const IntegerProducts& p, uint32_t* panels, int32_t* biases) {
  pack_panels(p, panels, biases);
}

void integer_depthwise_dotprod(const DotDepthwise& depthwise, uint32_t line) {
  add_columns_of_line(depthwise, line);
}

void pack_depthwise_dotprod(const DotDepthwise& depthwise, uint32_t* packed) {
  pack_columns(depthwise, packed);
}

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0
