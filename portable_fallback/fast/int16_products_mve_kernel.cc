// Multiplies eight activations at once by weights that are widened as they are loaded. Rows of two
// places are copied, and take three columns at once; a single place takes four. Sums of more
// products than 32 bits hold are added up in chunks.
#include "portable_fallback/fast/int16_products_mve_kernel.h"

#include "portable_fallback/fast/int16_finish_mve.h"
#include "portable_fallback/fast/int16_tile_mve.h"
#include "portable_fallback/fast/int16_windows.h"

namespace arenite {
namespace {

#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)

// The sums of `depth` products of a row and four rows of weights: sums[column].
inline void add_one_by_four(const int8_t* const (&w)[4], Src<int16_t> x, uint32_t depth,
                            int32_t* sums) {
  const int8_t *w0 = w[0], *w1 = w[1], *w2 = w[2], *w3 = w[3];
  int32_t a0 = 0, a1 = 0, a2 = 0, a3 = 0;
  asm volatile(
      "wlstp.16 lr, %[depth], 2f\n\t"
      "1:\n\t"
      "vldrh.16 q0, [%[x]], #16\n\t"
      "vldrb.s16 q1, [%[w0]], #8\n\t"
      "vmladava.s16 %[a0], q0, q1\n\t"
      "vldrb.s16 q2, [%[w1]], #8\n\t"
      "vmladava.s16 %[a1], q0, q2\n\t"
      "vldrb.s16 q1, [%[w2]], #8\n\t"
      "vmladava.s16 %[a2], q0, q1\n\t"
      "vldrb.s16 q2, [%[w3]], #8\n\t"
      "vmladava.s16 %[a3], q0, q2\n\t"
      "letp lr, 1b\n\t"
      "2:"
      : [a0] "+Te"(a0), [a1] "+Te"(a1), [a2] "+Te"(a2), [a3] "+Te"(a3), [w0] "+l"(w0),
        [w1] "+l"(w1), [w2] "+l"(w2), [w3] "+l"(w3), [x] "+r"(x)
      : [depth] "r"(depth)
      : "lr", "q0", "q1", "q2", "memory");
  sums[0] = a0;
  sums[1] = a1;
  sums[2] = a2;
  sums[3] = a3;
}

#else

template <typename X>
int32_t sum_of(const int8_t* w, X x, uint32_t depth) {
  uint32_t sum = 0;
  for (uint32_t k = 0; k < depth; ++k) sum += static_cast<uint32_t>(w[k] * int32_t{x[k]});
  return static_cast<int32_t>(sum);
}
inline void add_one_by_four(const int8_t* const (&w)[4], Src<int16_t> x, uint32_t depth,
                            int32_t* sums) {
  for (uint32_t j = 0; j < 4; ++j) sums[j] = sum_of(w[j], x, depth);
}

#endif

class Lane {
 public:
  explicit Lane(int16_t* to) : to_(to) {}
  void copy(Src<int16_t> x, size_t x_step, uint32_t count) {
    if (x_step == 1) {
      to_ = copy_numbers(to_, x, count);
    } else {
      for (; count != 0; --count, x += x_step) *to_++ = *x;
    }
  }
  void fill(int32_t number, uint32_t count) {
    for (; count != 0; --count) *to_++ = static_cast<int16_t>(number);
  }

 private:
  int16_t* to_;
};

constexpr uint32_t kColumns = kInt16MveColumns;  // whose sums are made, then their results

// A part of the products of some columns: of `count` numbers from k on.
struct Part {
  uint32_t column, columns, k, count;
};

// The sums of a part, [place][kColumns]. Where fewer columns are left than are added at once, the
// last one takes the place of those that there are not.
template <uint32_t kPlaces>
[[gnu::noinline]] void add_columns(const Int16Products& p, uint32_t depth, Src<int16_t> x,
                                   const Part& part, int32_t* sums) {
  constexpr uint32_t kAtOnce = kPlaces == 2 ? 3 : 4;
  const auto* w = static_cast<const int8_t*>(static_cast<const void*>(p.w)) + part.k;
  // A place may be read where it lies, without rows.
  const auto* rows = static_cast<const int16_t*>(static_cast<const void*>(p.rows));
  if (rows != nullptr) rows += part.k;
  for (uint32_t j = 0; j < part.columns; j += kAtOnce) {
    const int8_t* of[kAtOnce];
    for (uint32_t i = 0; i < kAtOnce; ++i) {
      const uint32_t column = j + i < part.columns ? j + i : part.columns - 1;
      of[i] = w + size_t{part.column + column} * depth;
    }
    if constexpr (kPlaces == 2) {
      Int16Tile tile;
      tile.add(of[0], of[1], of[2], rows, rows + depth, part.count);
      tile.put(sums + j, kColumns);
    } else {
      add_one_by_four(of, x + part.k, part.count, sums + j);
    }
  }
}

// Results of sums of 64 bits.
template <uint32_t kPlaces>
[[gnu::noinline]] void compute_wide(const Int16Products& p, uint32_t depth, Src<int16_t> x,
                                    Part part, Dst<int16_t> y) {
  const Int16Results& results = p.results;
  int64_t sums[kPlaces * kColumns];
  for (uint32_t i = 0; i < kPlaces; ++i) {
    for (uint32_t j = 0; j < part.columns; ++j) {
      sums[i * kColumns + j] = results.bias_of(part.column + j);
    }
  }
  for (; part.k < depth; part.k += kInt16ChunkDepth) {
    part.count = depth - part.k < kInt16ChunkDepth ? depth - part.k : kInt16ChunkDepth;
    int32_t parts[kPlaces * kColumns];
    add_columns<kPlaces>(p, depth, x, part, parts);
    for (uint32_t i = 0; i < kPlaces; ++i) {
      for (uint32_t j = 0; j < part.columns; ++j) sums[i * kColumns + j] += parts[i * kColumns + j];
    }
  }
  for (uint32_t i = 0; i < kPlaces; ++i) {
    for (uint32_t j = 0; j < part.columns; ++j) {
      const int32_t result = results.finish(results, sums[i * kColumns + j], part.column + j);
      y[j * p.y_c + i * p.y_w] = static_cast<int16_t>(result);
    }
  }
}

// Computes all columns of so many places; rows hold what these read, or x does.
template <uint32_t kPlaces>
void compute_places(const Int16Products& p, uint32_t depth, Src<int16_t> x, Dst<int16_t> y) {
  for (uint32_t column = 0; column < p.columns; column += kColumns, y += kColumns * p.y_c) {
    const uint32_t left = p.columns - column;
    const Part part = {column, left < kColumns ? left : kColumns, 0, depth};
    if (p.results.sums == Int16Sums::kWide) {
      compute_wide<kPlaces>(p, depth, x, part, y);
      continue;
    }
    int32_t sums[kPlaces * kColumns];
    add_columns<kPlaces>(p, depth, x, part, sums);
    finish_int16(p.results, column, part.columns, sums, kColumns, kPlaces, y, p.y_c, p.y_w);
  }
}

}  // namespace

void add_int16_products_mve(const Int16Products& p, uint32_t line, uint32_t place, uint32_t end) {
  const uint32_t depth = p.kernel_h * p.kernel_w * p.channels;
  auto* rows = static_cast<int16_t*>(static_cast<void*>(p.rows));
  while (place < end) {
    const Dst<int16_t> y = p.y + line * p.y_h + place * p.y_w;
    if (p.in_place) return compute_places<1>(p, depth, p.x, y);
    const uint32_t places = int16_mve_places_at_once(end - place);
    for (uint32_t i = 0; i < places; ++i) {
      copy_window(p, line, place + i, Lane(rows + size_t{i} * depth));
    }
    const Src<int16_t> x(rows);
    if (places == 2) {
      compute_places<2>(p, depth, x, y);
    } else {
      compute_places<1>(p, depth, x, y);
    }
    place += places;
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
