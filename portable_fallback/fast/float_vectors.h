// Vectors of floats in the vector types of GCC and Clang: one source for each instruction set,
// whose file says how wide they are. They are read and written at any address, and 16-bit floats
// are widened as they are read.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#include "portable_fallback/fast/float_products.h"

// A kernel's file says these before it includes the headers of tiles. Without, they are small,
// so that each header compiles alone.
#ifndef ARENITE_VECTOR_BYTES
#define ARENITE_VECTOR_BYTES 16
#define ARENITE_TILE_ROWS 2
#define ARENITE_TILE_PANELS 1
#endif

namespace arenite {
// Each kernel's file has its own: one that two files shared would be compiled for the machine of
// one of them.
namespace {

constexpr uint32_t kVectorBytes = ARENITE_VECTOR_BYTES;
constexpr uint32_t kTileRows = ARENITE_TILE_ROWS;
constexpr uint32_t kPanelsOfTile = ARENITE_TILE_PANELS;
constexpr uint32_t kLanes = kVectorBytes / sizeof(float);
typedef float Vector __attribute__((vector_size(kVectorBytes)));
typedef float StoredVector __attribute__((vector_size(kVectorBytes), aligned(4), may_alias));
// Half a vector: eight floats where vectors have sixteen.
typedef float HalfVector __attribute__((vector_size(kVectorBytes / 2)));
typedef float StoredHalfVector
    __attribute__((vector_size(kVectorBytes / 2), aligned(4), may_alias));
typedef uint32_t Words __attribute__((vector_size(kVectorBytes)));
typedef uint16_t StoredHalves __attribute__((vector_size(kVectorBytes / 2), aligned(2), may_alias));

struct Float16 {
  uint16_t bits;
};
struct Bfloat16 {
  uint16_t bits;
};

inline Vector load(const float* from) {
  return *static_cast<const StoredVector*>(static_cast<const void*>(from));
}
inline void store(float* to, Vector v) { *static_cast<StoredVector*>(static_cast<void*>(to)) = v; }

inline HalfVector load_half(const float* from) {
  return *static_cast<const StoredHalfVector*>(static_cast<const void*>(from));
}
inline void store_half(float* to, HalfVector v) {
  *static_cast<StoredHalfVector*>(static_cast<void*>(to)) = v;
}

// a > b ? a : b and a < b ? a : b, so b where one of them is NaN: an instruction of x86, which GCC
// makes a comparison and a choice.
inline Vector greater_of(Vector a, Vector b) {
#if defined(__AVX512F__) && ARENITE_VECTOR_BYTES == 64
  return _mm512_maskz_max_ps(0xffff, a, b);
#elif defined(__AVX2__) && ARENITE_VECTOR_BYTES == 32
  return _mm256_max_ps(a, b);
#elif defined(__x86_64__) && ARENITE_VECTOR_BYTES == 16
  return _mm_max_ps(a, b);
#else
  return a > b ? a : b;
#endif
}
inline Vector less_of(Vector a, Vector b) {
#if defined(__AVX512F__) && ARENITE_VECTOR_BYTES == 64
  return _mm512_maskz_min_ps(0xffff, a, b);
#elif defined(__AVX2__) && ARENITE_VECTOR_BYTES == 32
  return _mm256_min_ps(a, b);
#elif defined(__x86_64__) && ARENITE_VECTOR_BYTES == 16
  return _mm_min_ps(a, b);
#else
  return a < b ? a : b;
#endif
}

// What permuted() wants of the lanes that its result has.
inline Words permutation(Words lanes) {
#if defined(__aarch64__) && ARENITE_VECTOR_BYTES == 16
  return lanes * 0x04040404u + 0x03020100u;  // bytes
#else
  return lanes;
#endif
}
// The lanes of v that permutation() was given.
inline Vector permuted(Vector v, Words permutation) {
#if defined(__AVX512F__) && ARENITE_VECTOR_BYTES == 64
  return _mm512_maskz_permutexvar_ps(0xffff, __builtin_bit_cast(__m512i, permutation), v);
#elif defined(__AVX2__) && ARENITE_VECTOR_BYTES == 32
  return _mm256_permutevar8x32_ps(v, __builtin_bit_cast(__m256i, permutation));
#elif defined(__aarch64__) && ARENITE_VECTOR_BYTES == 16
  return __builtin_bit_cast(Vector, vqtbl1q_u8(__builtin_bit_cast(uint8x16_t, v),
                                               __builtin_bit_cast(uint8x16_t, permutation)));
#else
  Vector result = {};
  for (uint32_t i = 0; i < kLanes; ++i) result[i] = v[permutation[i]];
  return result;
#endif
}

// The first `count` floats, fewer than a vector has, and zeros. Where the CPU has masks it is one
// instruction: a vector that is loaded right after its parts were stored waits for all of them.
inline Vector load_first(const float* from, uint32_t count) {
#if defined(__SANITIZE_THREAD__)
  // A load by a mask is no access to the copy that is watched
  // (docs/decisions/0029-watched-forms.md).
  Vector first = {};
  for (uint32_t i = 0; i < count; ++i) first[i] = from[i];
  return first;
#elif defined(__AVX512F__) && ARENITE_VECTOR_BYTES == 64
  return _mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << count) - 1), from);
#elif defined(__AVX2__) && ARENITE_VECTOR_BYTES == 32
  const Words lanes = {0, 1, 2, 3, 4, 5, 6, 7};
  return _mm256_maskload_ps(from, __builtin_bit_cast(__m256i, lanes < count));
#else
  Vector first = {};
  for (uint32_t i = 0; i < count; ++i) first[i] = from[i];
  return first;
#endif
}

// Exact.
inline Vector load(const Float16* from) {
#if defined(__AVX512F__) && ARENITE_VECTOR_BYTES == 64
  // With a mask of all: of the form without one GCC 12 warns.
  const __m256i bits = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  return __builtin_bit_cast(Vector, _mm512_maskz_cvtph_ps(0xffff, bits));
#elif defined(__F16C__) && ARENITE_VECTOR_BYTES == 32
  return __builtin_bit_cast(
      Vector, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
#elif defined(__aarch64__) && ARENITE_VECTOR_BYTES == 16
  const uint16x4_t bits = vld1_u16(reinterpret_cast<const uint16_t*>(from));
  return __builtin_bit_cast(Vector, vcvt_f32_f16(vreinterpret_f16_u16(bits)));
#else
  // With the mantissa in float32's place the exponent lacks the difference of the biases, which
  // the product adds.
  const auto halves = *static_cast<const StoredHalves*>(static_cast<const void*>(from));
  const Words bits = __builtin_convertvector(halves, Words);
  const Words magnitude = (bits & 0x7fffu) << 13;
  const auto finite = __builtin_bit_cast(Words, __builtin_bit_cast(Vector, magnitude) * 0x1p112f);
  const Words wide = magnitude < 0x7c00u << 13 ? finite : magnitude | 0x7f800000u;
  return __builtin_bit_cast(Vector, wide | (bits & 0x8000u) << 16);
#endif
}
inline Vector load(const Bfloat16* from) {
  const auto halves = *static_cast<const StoredHalves*>(static_cast<const void*>(from));
  return __builtin_bit_cast(Vector, __builtin_convertvector(halves, Words) << 16);
}

// Asks for the line at a place that may lie outside of the weights: no pointer is computed with.
template <typename W>
[[gnu::always_inline]] inline void prefetch(const W* w, size_t ahead) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(w) + ahead * sizeof(W);
  __builtin_prefetch(reinterpret_cast<const void*>(address), 0, 2);
}

inline float widened(float value) { return value; }
inline float widened(Float16 value) {
  const uint32_t magnitude = (value.bits & 0x7fffu) << 13;
  const auto finite = __builtin_bit_cast(uint32_t, __builtin_bit_cast(float, magnitude) * 0x1p112f);
  const uint32_t wide = magnitude < 0x7c00u << 13 ? finite : magnitude | 0x7f800000u;
  return __builtin_bit_cast(float, wide | (value.bits & 0x8000u) << 16);
}
inline float widened(Bfloat16 value) {
  return __builtin_bit_cast(float, uint32_t{value.bits} << 16);
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
