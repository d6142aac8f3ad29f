// Multiplies 16 pairs of numbers of 16 bits at once, to which weights are widened as they are
// loaded. A tile of four places by two columns keeps its sums in registers.
#include "portable_fallback/fast/integer_dots_avx2_kernel.h"

#include "portable_fallback/fast/depthwise_channels.h"
#include "portable_fallback/fast/integer_finish_avx2.h"

#if defined(__AVX2__)

namespace arenite {
namespace {

constexpr uint32_t kLanes = 16;

inline __m256i load_numbers(const int16_t* from) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(static_cast<const void*>(from)));
}
inline __m256i load_weights(const int8_t* from) {
  return _mm256_cvtepi8_epi16(
      _mm_loadu_si128(static_cast<const __m128i*>(static_cast<const void*>(from))));
}
inline __m256i with_products(__m256i sums, __m256i x, __m256i w) {
  return _mm256_add_epi32(sums, _mm256_madd_epi16(x, w));
}

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
      __m256i products[kPlaces][kColumns] = {};
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
        const __m128i all =
            sums_of_four(products[0][0], products[0][1], products[0][2], products[0][3]);
        _mm_storeu_si128(static_cast<__m128i*>(static_cast<void*>(sums[0] + j)), all);
      } else {
        for (uint32_t i = 0; i < kPlaces; i += 2) {
          const __m128i all =
              sums_of_four(products[i][0], products[i][1], products[i + 1][0], products[i + 1][1]);
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

// Sixteen columns of one line of a depthwise convolution.
//
//   x of taps 0 and 1    a0 b0 a1 b1 ... | times weights of these | added by pairs, in 32 bits
class DepthwiseLine {
 public:
  DepthwiseLine(const DotDepthwise& d, uint32_t column, uint32_t count, int16_t* memory)
      : d_(d),
        p_(d.products),
        column_(column),
        count_(count),
        channels_(d.columns_of_channel, column, count),
        weights_(memory) {
    // Where load_few() puts the eighth channel and those behind it.
    for (uint8_t& at : channels_.behind) {
      if (at >= 8) at = static_cast<uint8_t>(at + kDotLanes - channels_.count);
    }
    interleave();
  }

  // Results of all places, kDotLanes apart.
  void run(uint32_t line, int8_t* to) const {
    const uint32_t top = line * p_.stride_h - p_.pad_h;
    const bool done = with_way(p_.results, [&]<Way kWay>() {
      const EightOutputs<kWay> first(p_.results, column_, count_);
      const EightOutputs<kWay> second(p_.results, column_ + 8, count_ < 8 ? 0 : count_ - 8);
      int8_t* at = to;
      for (uint32_t place = 0; place < p_.out_w; ++place, at += kDotLanes) {
        const Sums sums = add(top, place * p_.stride_w - p_.pad_w);
        store_low_bytes(at, first.of(sums.first));
        store_low_bytes(at + 8, second.of(sums.second));
      }
    });
    if (done) return;
    for (uint32_t place = 0; place < p_.out_w; ++place, to += kDotLanes) {
      const Sums sums = add(top, place * p_.stride_w - p_.pad_w);
      int32_t each[kDotLanes];
      store_words(each, sums.first);
      store_words(each + 8, sums.second);
      for (uint32_t c = 0; c < count_; ++c) to[c] = result_of(p_.results, column_ + c, each[c]);
    }
  }

 private:
  // Of channels 0 to 7, and of the others.
  struct Sums {
    __m256i first, second;
  };

  const int8_t* tap(uint32_t h, uint32_t w) const {
    return weights_of(p_) + h * d_.w_h + w * d_.w_w + column_;
  }

  // Weights less their zero point, of each two taps side by side.
  void interleave() {
    const uint32_t taps = p_.kernel_h * p_.kernel_w;
    for (uint32_t t = 0; t < taps; ++t) {
      const int8_t* from = tap(t / p_.kernel_w, t % p_.kernel_w);
      int16_t* to = weights_ + t / 2 * 2 * kDotLanes + t % 2;
      for (uint32_t c = 0; c < kDotLanes; ++c) {
        const int32_t w = c < count_ ? from[c] - p_.w_zero_point : 0;
        to[place_of(c)] = static_cast<int16_t>(w);
      }
    }
    if (taps % 2 != 0) {
      int16_t* to = weights_ + taps / 2 * 2 * kDotLanes + 1;
      for (uint32_t c = 0; c < kDotLanes; ++c) to[place_of(c)] = 0;
    }
  }
  // Where unpacking puts a channel: lanes 0-3 and 8-11, then the others.
  static uint32_t place_of(uint32_t c) {
    const uint32_t half = c / 4 % 2;
    return half * kDotLanes + c / 8 * 8 + c % 4 * 2;
  }

  static __m128i load_sixteen(const void* from) {
    return _mm_loadu_si128(static_cast<const __m128i*>(from));
  }

  // All channels: the first eight, then the last eight; or fewer.
  __m128i load_few(Src<std::byte> x) const {
    const uint32_t count = channels_.count;
    if (count >= 8) {
      int64_t first, last;
      take(static_cast<std::byte*>(static_cast<void*>(&first)), x, 8);
      take(static_cast<std::byte*>(static_cast<void*>(&last)), x + (count - 8), 8);
      return _mm_set_epi64x(last, first);
    }
    uint64_t bytes = 0;
    for (uint32_t c = 0; c < count; ++c) bytes |= std::to_integer<uint64_t>(x[c]) << 8 * c;
    return _mm_cvtsi64_si128(static_cast<int64_t>(bytes));
  }

  // 16 numbers of a tap, less the zero point.
  __m256i numbers(uint32_t ih, uint32_t iw) const {
    if (ih >= p_.in_h || iw >= p_.in_w) {
      return _mm256_set1_epi16(static_cast<int16_t>(p_.outside));
    }
    const Src<std::byte> x = p_.x + (ih * p_.x_h + iw * p_.x_w + channels_.first);
    __m128i bytes;
    if (channels_.count == kDotLanes) {
      std::byte sixteen[kDotLanes];
      take(sixteen, x, kDotLanes);
      bytes = load_sixteen(sixteen);
    } else {
      bytes = _mm_shuffle_epi8(load_few(x), load_sixteen(channels_.behind));
    }
    bytes = _mm_xor_si128(bytes, _mm_set1_epi8(static_cast<char>(p_.flip)));
    return _mm256_add_epi16(_mm256_cvtepi8_epi16(bytes),
                            _mm256_set1_epi16(static_cast<int16_t>(p_.added)));
  }

  Sums add(uint32_t top, uint32_t left) const {
    const uint32_t taps = p_.kernel_h * p_.kernel_w;
    __m256i low = _mm256_setzero_si256(), high = low;
    uint32_t h = 0, w = 0;
    const auto next = [&] {
      const __m256i x = numbers(top + h * p_.dilation_h, left + w * p_.dilation_w);
      if (++w == p_.kernel_w) w = 0, ++h;
      return x;
    };
    const int16_t* weights = weights_;
    for (uint32_t t = 0; t < taps; t += 2, weights += 2 * kDotLanes) {
      const __m256i a = next();
      const __m256i b = t + 1 < taps ? next() : _mm256_setzero_si256();
      low = with_products(low, _mm256_unpacklo_epi16(a, b), load_numbers(weights));
      high = with_products(high, _mm256_unpackhi_epi16(a, b), load_numbers(weights + kLanes));
    }
    return {_mm256_permute2x128_si256(low, high, 0x20), _mm256_permute2x128_si256(low, high, 0x31)};
  }

  const DotDepthwise& d_;
  const IntegerProducts& p_;
  const uint32_t column_, count_;
  DepthwiseChannels channels_;
  int16_t* const weights_;
};

}  // namespace

void integer_dots_avx2(const IntegerProducts& products, uint32_t line, uint32_t place,
                       uint32_t end) {
  add_dots<Tiles>(products, line, place, end);
}

void integer_depthwise_avx2(const DotDepthwise& d, uint32_t line) {
  const IntegerProducts& p = d.products;
  const uint32_t taps = p.kernel_h * p.kernel_w;
  auto* weights = static_cast<int16_t*>(static_cast<void*>(p.rows));
  auto* results =
      static_cast<int8_t*>(static_cast<void*>(weights + (taps + 1) / 2 * 2 * kDotLanes));
  for (uint32_t column = 0; column < p.columns; column += kDotLanes) {
    const uint32_t left = p.columns - column;
    const uint32_t count = left < kDotLanes ? left : kDotLanes;
    DepthwiseLine(d, column, count, weights).run(line, results);
    const int8_t* from = results;
    for (uint32_t place = 0; place < p.out_w; ++place, from += kDotLanes) {
      put(p.y + (line * p.y_h + place * p.y_w + column), from, count);
    }
  }
}

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0
