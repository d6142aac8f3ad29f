// Multiplies 64 pairs of bytes at once, x without a sign, and adds them by fours: what x is moved
// by for that, and its zero point, is in the biases. Of weights in rows, a tile of four places by
// four columns keeps its sums in registers.
#include "portable_fallback/fast/integer_dots_avx512vnni_kernel.h"

#include "portable_fallback/fast/integer_lanes_avx512.h"

#if defined(__AVX512VNNI__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && \
    defined(__AVX512VL__)

#include "portable_fallback/fast/integer_panels.h"

namespace arenite {
namespace {

// Vectors of 64 bytes, and of 32 for short rows.
struct Wide {
  using Vector = __m512i;
  static constexpr uint32_t kBytes = 64;
  static Vector zero() { return _mm512_setzero_si512(); }
  static Vector load(const void* from) { return _mm512_loadu_si512(from); }
  static Vector load_first(const void* from, uint32_t count) {
    return _mm512_maskz_loadu_epi8(~uint64_t{0} >> (64 - count), from);
  }
  static Vector with_products(Vector sums, Vector x, Vector w) {
    return _mm512_dpbusd_epi32(sums, x, w);
  }
  static __m256i half(Vector v) {
    // The intrinsics for halves make GCC 12 warn of its own header (bug 105593).
    const __m256i lower = __builtin_shufflevector(v, v, 0, 1, 2, 3);
    const __m256i upper = __builtin_shufflevector(v, v, 4, 5, 6, 7);
    return _mm256_add_epi32(lower, upper);
  }
};
struct Narrow {
  using Vector = __m256i;
  static constexpr uint32_t kBytes = 32;
  static Vector zero() { return _mm256_setzero_si256(); }
  static Vector load(const void* from) {
    return _mm256_loadu_si256(static_cast<const __m256i*>(from));
  }
  static Vector load_first(const void* from, uint32_t count) {
    return _mm256_maskz_loadu_epi8(~uint32_t{0} >> (32 - count), from);
  }
  static Vector with_products(Vector sums, Vector x, Vector w) {
    return _mm256_dpbusd_epi32(sums, x, w);
  }
  static __m256i half(Vector v) { return v; }
};

template <typename V, uint32_t kPlaces>
inline void add_columns(const uint8_t* rows, const int8_t* w, uint32_t depth, uint32_t columns,
                        SumsOfColumns* sums) {
  constexpr uint32_t kColumns = 4;
  const uint32_t row = dot_row(depth);
  const uint32_t left = depth % V::kBytes;
  for (uint32_t j = 0; j < columns; j += kColumns) {
    // Behind the last column it is read again.
    const int8_t* columns_of_w[kColumns];
    for (uint32_t c = 0; c < kColumns; ++c) {
      const uint32_t column = j + c < columns ? j + c : columns - 1;
      columns_of_w[c] = w + size_t{column} * depth;
    }
    typename V::Vector products[kPlaces][kColumns];
    for (auto& of_place : products) {
      for (auto& product : of_place) product = V::zero();
    }
    const auto add = [&](uint32_t k, auto load) {
      typename V::Vector x[kPlaces];
      for (uint32_t i = 0; i < kPlaces; ++i) x[i] = V::load(rows + size_t{i} * row + k);
      for (uint32_t c = 0; c < kColumns; ++c) {
        const typename V::Vector weights = load(columns_of_w[c] + k);
        for (uint32_t i = 0; i < kPlaces; ++i) {
          products[i][c] = V::with_products(products[i][c], x[i], weights);
        }
      }
    };
    uint32_t k = 0;
    for (; k + V::kBytes <= depth; k += V::kBytes) {
      add(k, [](const int8_t* from) { return V::load(from); });
    }
    if (left != 0) {
      add(k, [left](const int8_t* from) { return V::load_first(from, left); });
    }
    for (uint32_t i = 0; i < kPlaces; ++i) {
      const __m128i all = sums_of_four(V::half(products[i][0]), V::half(products[i][1]),
                                       V::half(products[i][2]), V::half(products[i][3]));
      _mm_storeu_si128(static_cast<__m128i*>(static_cast<void*>(sums[i] + j)), all);
    }
  }
}

struct Tiles {
  using Row = ByteRow;

  static void prepare(uint32_t, uint8_t*) {}

  template <uint32_t kPlaces>
  static void add(const uint8_t* rows, const int8_t* w, uint32_t depth, uint32_t columns,
                  SumsOfColumns* sums) {
    if (depth <= Narrow::kBytes) {
      add_columns<Narrow, kPlaces>(rows, w, depth, columns, sums);
    } else {
      add_columns<Wide, kPlaces>(rows, w, depth, columns, sums);
    }
  }

  static void finish(const IntegerProducts& p, const SumsOfPlaces& from, Dst<int8_t> y) {
    finish_columns(p, from, y);
  }
};

}  // namespace

void integer_dots_avx512vnni(const IntegerProducts& products, uint32_t line, uint32_t place,
                             uint32_t end) {
  add_dots<Tiles>(products, line, place, end);
}

void integer_panels_avx512vnni(const IntegerProducts& products, uint32_t line, uint32_t place,
                               uint32_t end) {
  add_places(products, line, place, end);
}

void pack_panels_avx512vnni(const IntegerProducts& p, uint32_t* panels, int32_t* biases) {
  pack_panels(p, panels, biases);
}

void fold_dots_avx512vnni(const IntegerProducts& p, int32_t* biases) {
  const uint32_t depth = depth_of(p);
  const auto moved = static_cast<uint32_t>(p.added - 128);
  const __m512i ones = _mm512_set1_epi8(1);
  const int8_t* w = weights_of(p);
  for (uint32_t j = 0; j < p.columns; ++j, w += depth) {
    __m512i sums = Wide::zero();
    uint32_t k = 0;
    for (; k + Wide::kBytes <= depth; k += Wide::kBytes) {
      sums = Wide::with_products(sums, ones, Wide::load(w + k));
    }
    if (k != depth) sums = Wide::with_products(sums, ones, Wide::load_first(w + k, depth - k));
    const __m256i half = Wide::half(sums);
    const auto sum =
        static_cast<uint32_t>(_mm_extract_epi32(sums_of_four(half, half, half, half), 0));
    const auto bias = static_cast<uint32_t>(p.results.bias[j * p.results.bias_step]);
    biases[j] = static_cast<int32_t>(bias + moved * sum);
  }
}

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0
