// Compares vectors of bytes: of neighboring channels, or of neighboring columns of a plane, there
// the rows of all windows first. Numbers are put into the order of uint8, which every 64-bit x86
// compares.
#include "portable_fallback/fast/integer_max_pool_base_kernel.h"

namespace arenite {
namespace {

constexpr uint32_t kVector = kPoolChannels;

template <uint32_t kBytes>
struct Of {
  using Bytes __attribute__((vector_size(kBytes))) = uint8_t;
};

template <typename Bytes>
inline Bytes load_bytes(Src<std::byte> from) {
  std::byte bytes[sizeof(Bytes)];
  take(bytes, from, sizeof(Bytes));
  Bytes vector;
  std::memcpy(&vector, bytes, sizeof(Bytes));
  return vector;
}

template <typename Bytes>
inline Bytes load_own(const uint8_t* from) {
  Bytes vector;
  std::memcpy(&vector, from, sizeof(Bytes));
  return vector;
}

template <typename Bytes>
inline Bytes greater_of(Bytes a, Bytes b) {
  return a > b ? a : b;
}

inline uint8_t flip_of(bool is_unsigned) { return is_unsigned ? 0 : 0x80; }

// Channels of one vector.
template <uint32_t kBytes>
[[gnu::always_inline]] inline void max_of_vector(const PoolTaps& taps, Src<std::byte> x,
                                                 std::byte* results) {
  using Bytes = typename Of<kBytes>::Bytes;
  const Bytes flip = Bytes{} + flip_of(taps.is_unsigned);
  Bytes most = {};
  for_each_tap(
      taps, x, [&](Src<std::byte> at) __attribute__((always_inline)) {
        most = greater_of(most, load_bytes<Bytes>(at) ^ flip);
      });
  most ^= flip;
  std::memcpy(results, &most, kBytes);
}

std::byte max_of_one(const PoolTaps& taps, Src<std::byte> x) {
  const uint8_t flip = flip_of(taps.is_unsigned);
  uint8_t most = 0;
  for_each_tap(
      taps, x, [&](Src<std::byte> at) __attribute__((always_inline)) {
        const uint8_t tap = static_cast<uint8_t>(static_cast<std::byte>(*at)) ^ flip;
        most = tap > most ? tap : most;
      });
  return static_cast<std::byte>(most ^ flip);
}

// Fewer channels than a vector has, all of which are read before one is written.
void max_of_rest(const PoolTaps& taps, Src<std::byte> x, uint32_t channels, Dst<std::byte> y) {
  std::byte results[kVector];
  uint32_t c = 0;
  for (; c + 4 <= channels; c += 4) max_of_vector<4>(taps, x + c, results + c);
  for (; c < channels; ++c) results[c] = max_of_one(taps, x + c);
  for (c = 0; c < channels; ++c) y[c] = results[c];
}

// Makes `most` the greater of itself and of a row of x.
template <uint32_t kBytes>
[[gnu::always_inline]] inline void take_vector(uint8_t* most, Src<std::byte> x, uint8_t flip) {
  using Bytes = typename Of<kBytes>::Bytes;
  const Bytes greater = greater_of(load_own<Bytes>(most), load_bytes<Bytes>(x) ^ flip);
  std::memcpy(most, &greater, kBytes);
}

// The last vector overlaps the one before it.
template <uint32_t kBytes>
[[gnu::always_inline]] inline void take_vectors(uint8_t* most, Src<std::byte> x, uint32_t count,
                                                uint8_t flip) {
  for (uint32_t i = 0; i + kBytes <= count; i += kBytes) {
    take_vector<kBytes>(most + i, x + i, flip);
  }
  if (count % kBytes == 0) return;
  take_vector<kBytes>(most + (count - kBytes), x + (count - kBytes), flip);
}

void take_row(uint8_t* most, Src<std::byte> x, uint32_t count, uint8_t flip) {
  if (count >= kVector) return take_vectors<kVector>(most, x, count, flip);
  if (count >= 8) return take_vectors<8>(most, x, count, flip);
  if (count >= 4) return take_vectors<4>(most, x, count, flip);
  for (uint32_t i = 0; i < count; ++i) {
    const uint8_t tap = static_cast<uint8_t>(static_cast<std::byte>(x[i])) ^ flip;
    most[i] = tap > most[i] ? tap : most[i];
  }
}

// Makes each of `most` the greatest of its window along the columns, as numbers of y.
void take_columns(const PlaneMaxRun& run, uint8_t* most, uint8_t flip) {
  using Bytes = Of<kVector>::Bytes;
  for (uint32_t i = 0; i < run.places(); i += kVector) {
    Bytes greatest = load_own<Bytes>(most + i);
    const uint8_t* tap = most + i;
    for (uint32_t k = run.kernel - 1; k != 0; --k) {
      tap += run.dilation;
      greatest = greater_of(greatest, load_own<Bytes>(tap));
    }
    greatest ^= flip;
    std::memcpy(most + i, &greatest, kVector);
  }
}

template <uint32_t kStride>
void pick(const uint8_t* most, uint32_t stride, uint32_t outputs, std::byte* results) {
  const size_t step = kStride == 0 ? stride : kStride;
  for (uint32_t i = 0; i < outputs; ++i) results[i] = static_cast<std::byte>(most[i * step]);
}

}  // namespace

void max_pool_base(const MaxPoolRun& run) {
  PoolTaps taps = run.taps;
  Dst<std::byte> y = run.y;
  for (uint32_t left = run.outputs; left != 0; --left) {
    uint32_t c = 0;
    for (; c + kVector <= run.channels; c += kVector) {
      std::byte results[kVector];
      max_of_vector<kVector>(taps, taps.x + c, results);
      put(y + c, static_cast<const std::byte*>(results), kVector);
    }
    if (c != run.channels) max_of_rest(taps, taps.x + c, run.channels - c, y + c);
    taps.x += run.x_step;
    y += run.y_step;
  }
}

void max_pool_plane_base(const PlaneMaxRun& run) {
  // Vectors read behind the last column. Columns in the padding are the least number.
  uint8_t most[kPlaneColumns + kVector];
  const uint8_t flip = flip_of(run.is_unsigned);
  std::memset(most, 0, run.places() + run.last_tap() + kVector);
  Src<std::byte> slice = run.x;
  for (uint32_t d = run.counts[0]; d != 0; --d, slice += run.steps[0]) {
    Src<std::byte> row = slice;
    for (uint32_t h = run.counts[1]; h != 0; --h, row += run.steps[1]) {
      take_row(most + run.before, row, run.columns, flip);
    }
  }
  take_columns(run, most, flip);
  std::byte results[kPlaneOutputs];
  if (run.stride == 1) {
    std::memcpy(results, most, run.outputs);
  } else if (run.stride == 2) {
    pick<2>(most, 2, run.outputs, results);
  } else {
    pick<0>(most, run.stride, run.outputs, results);
  }
  put(run.y, static_cast<const std::byte*>(results), run.outputs);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
