// Multiplies 16 pairs of numbers of 16 bits at once, to which weights are widened as they are
// loaded. Panels and columns are compiled here; where weights lie in rows, a tile of four places by
// two columns keeps its sums in registers.
#include "portable_fallback/fast/integer_dots_avx2_kernel.h"

#include "portable_fallback/fast/integer_lanes_avx2.h"

#if defined(__AVX2__)

#include "portable_fallback/fast/integer_columns.h"

namespace arenite {
namespace {

constexpr uint32_t kLanes = 16;

inline __m256i load_numbers(const int16_t* from) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(static_cast<const void*>(from)));
}
inline __m256i load_weights(const int8_t* from) { return widened(load_bytes(from)); }

// Calls visit(first number of a row, weights' place) for each vector of a row. What does not fill
// one lies at the end of the last one of the row (prepare()), as it does in weights that are read
// from before it.
template <typename F>
[[gnu::always_inline]] inline void each_vector(uint32_t depth, F visit) {
  uint32_t k = 0;
  for (; k + kLanes <= depth; k += kLanes) visit(k, k);
  if (k != depth && depth >= kLanes) visit(k, depth - kLanes);
}

struct Tiles {
  using Row = WideRow;

  static void prepare(uint32_t depth, int16_t* row) {
    const uint32_t left = depth % kLanes;
    if (left == 0 || depth < kLanes) return;
    int16_t* const last = row + depth - left;
    std::memmove(last + kLanes - left, last, left * sizeof(int16_t));
    std::memset(last, 0, (kLanes - left) * sizeof(int16_t));
  }

  // Fewer products than a vector has.
  template <uint32_t kPlaces>
  static void add_short(const int16_t* rows, const int8_t* w, uint32_t depth, uint32_t columns,
                        SumsOfColumns* sums) {
    for (uint32_t j = 0; j < columns; ++j, w += depth) {
      int8_t bytes[kLanes] = {};
      for (uint32_t k = 0; k < depth; ++k) bytes[k] = w[k];
      const __m256i weights = load_weights(bytes);
      __m256i products[4] = {};
      for (uint32_t i = 0; i < kPlaces; ++i) {
        products[i] = _mm256_madd_epi16(load_numbers(rows + size_t{i} * dot_row(depth)), weights);
      }
      const __m128i all = sums_of_four(products[0], products[1], products[2], products[3]);
      int32_t each[4];
      _mm_storeu_si128(static_cast<__m128i*>(static_cast<void*>(each)), all);
      for (uint32_t i = 0; i < kPlaces; ++i) sums[i][j] = each[i];
    }
  }

  template <uint32_t kPlaces>
  static void add(const int16_t* rows, const int8_t* w, uint32_t depth, uint32_t columns,
                  SumsOfColumns* sums) {
    if (depth < kLanes) return add_short<kPlaces>(rows, w, depth, columns, sums);
    constexpr uint32_t kColumns = kPlaces == 1 ? 4 : 2;
    const uint32_t row = dot_row(depth);
    for (uint32_t j = 0; j < columns; j += kColumns) {
      // Behind the last column it is read again.
      const int8_t* columns_of_w[kColumns];
      for (uint32_t c = 0; c < kColumns; ++c) {
        const uint32_t column = j + c < columns ? j + c : columns - 1;
        columns_of_w[c] = w + size_t{column} * depth;
      }
      EightSums products[kPlaces][kColumns] = {};
      each_vector(depth, [&](uint32_t k, uint32_t w_k) {
        __m256i weights[kColumns];
        for (uint32_t c = 0; c < kColumns; ++c) weights[c] = load_weights(columns_of_w[c] + w_k);
        for (uint32_t i = 0; i < kPlaces; ++i) {
          const __m256i x = load_numbers(rows + size_t{i} * row + k);
          for (uint32_t c = 0; c < kColumns; ++c) {
            products[i][c] = with_products(products[i][c], x, weights[c]);
          }
        }
      });
      if constexpr (kPlaces == 1) {
        const __m128i all = sums_of_four(words_of(products[0][0]), words_of(products[0][1]),
                                         words_of(products[0][2]), words_of(products[0][3]));
        _mm_storeu_si128(static_cast<__m128i*>(static_cast<void*>(sums[0] + j)), all);
      } else {
        for (uint32_t i = 0; i < kPlaces; i += 2) {
          const __m128i all =
              sums_of_four(words_of(products[i][0]), words_of(products[i][1]),
                           words_of(products[i + 1][0]), words_of(products[i + 1][1]));
          int32_t each[4];
          _mm_storeu_si128(static_cast<__m128i*>(static_cast<void*>(each)), all);
          sums[i][j] = each[0];
          sums[i][j + 1] = each[1];
          sums[i + 1][j] = each[2];
          sums[i + 1][j + 1] = each[3];
        }
      }
    }
  }

  static void finish(const IntegerProducts& p, const SumsOfPlaces& from, Dst<int8_t> y) {
    finish_columns(p, from, y);
  }
};

}  // namespace

void integer_dots_avx2(const IntegerProducts& products, uint32_t line, uint32_t place,
                       uint32_t end) {
  add_dots<Tiles>(products, line, place, end);
}

void integer_panels_avx2(const IntegerProducts& products, uint32_t line, uint32_t place,
                         uint32_t end) {
  add_places(products, line, place, end);
}

void pack_panels_avx2(const IntegerProducts& p, uint32_t* panels, int32_t* biases) {
  pack_panels(p, panels, biases);
}

void integer_depthwise_avx2(const DotDepthwise& depthwise, uint32_t line) {
  add_columns_of_line(depthwise, line);
}

void pack_depthwise_avx2(const DotDepthwise& depthwise, uint32_t* packed) {
  pack_columns(depthwise, packed);
}

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0
