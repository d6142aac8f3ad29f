// Instructions of Arm's DSP extension for M-profile CPUs, which compute with two 16-bit numbers in
// a word, and the same in plain C++ for every other machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace arenite {
// Belongs to each kernel's file alone, as its flags do.
namespace {
namespace dsp {

// The lower and the upper number of a word, and the word of two.
inline int32_t lower(uint32_t pair) { return static_cast<int16_t>(pair); }
// The lower number of a pair in memory, which alone is read.
inline int32_t load_lower(const uint32_t* pair) {
  int16_t number;
  std::memcpy(&number, pair, sizeof(number));
  return number;
}
inline int32_t upper(uint32_t pair) { return static_cast<int16_t>(pair >> 16); }
constexpr uint32_t pair_of(int32_t lower, int32_t upper) {
  return (static_cast<uint32_t>(lower) & 0xffff) | static_cast<uint32_t>(upper) << 16;
}

#if defined(__ARM_FEATURE_DSP) && !defined(ARENITE_WITHOUT_DSP)

// Bytes 0 and 2 as a pair, and bytes 1 and 3.
inline uint32_t even_bytes(uint32_t word) {
  uint32_t pair;
  asm("sxtb16 %0, %1" : "=r"(pair) : "r"(word));
  return pair;
}
inline uint32_t odd_bytes(uint32_t word) {
  uint32_t pair;
  asm("sxtb16 %0, %1, ror #8" : "=r"(pair) : "r"(word));
  return pair;
}
// The same, each plus its number of `added`.
inline uint32_t add_even_bytes(uint32_t added, uint32_t word) {
  uint32_t pair;
  asm("sxtab16 %0, %1, %2" : "=r"(pair) : "r"(added), "r"(word));
  return pair;
}
inline uint32_t add_odd_bytes(uint32_t added, uint32_t word) {
  uint32_t pair;
  asm("sxtab16 %0, %1, %2, ror #8" : "=r"(pair) : "r"(added), "r"(word));
  return pair;
}
// The pair of both lower numbers, and of both upper ones.
inline uint32_t lower_pair(uint32_t first, uint32_t second) {
  uint32_t pair;
  asm("pkhbt %0, %1, %2, lsl #16" : "=r"(pair) : "r"(first), "r"(second));
  return pair;
}
inline uint32_t upper_pair(uint32_t first, uint32_t second) {
  uint32_t pair;
  asm("pkhtb %0, %1, %2, asr #16" : "=r"(pair) : "r"(second), "r"(first));
  return pair;
}
// sum plus the products of both pairs of numbers, of both lower ones, of both upper ones; wraps.
inline void add_products(uint32_t a, uint32_t b, int32_t& sum) {
  asm("smlad %0, %1, %2, %0" : "+r"(sum) : "r"(a), "r"(b));
}
inline void add_lower_product(uint32_t a, uint32_t b, int32_t& sum) {
  asm("smlabb %0, %1, %2, %0" : "+r"(sum) : "r"(a), "r"(b));
}
inline void add_upper_product(uint32_t a, uint32_t b, int32_t& sum) {
  asm("smlatt %0, %1, %2, %0" : "+r"(sum) : "r"(a), "r"(b));
}
// sum plus the product of a's upper number and b's lower one.
inline void add_upper_lower_product(uint32_t a, uint32_t b, int32_t& sum) {
  asm("smlatb %0, %1, %2, %0" : "+r"(sum) : "r"(a), "r"(b));
}
// Both sums of two pairs, wrapping.
inline uint32_t add_pairs(uint32_t a, uint32_t b) {
  uint32_t pair;
  asm("sadd16 %0, %1, %2" : "=r"(pair) : "r"(a), "r"(b));
  return pair;
}
// The upper half of a * b, rounded to the nearest, halves up; and the same plus a number.
inline int32_t high_product(int32_t a, int32_t b) {
  int32_t product;
  asm("smmulr %0, %1, %2" : "=r"(product) : "r"(a), "r"(b));
  return product;
}
inline int32_t add_high_product(int32_t a, int32_t b, int32_t added) {
  int32_t sum;
  asm("smmlar %0, %1, %2, %3" : "=r"(sum) : "r"(a), "r"(b), "r"(added));
  return sum;
}
// The upper half of a * b, rounded down, plus a number.
inline int32_t add_high_half(int32_t a, int32_t b, int32_t added) {
  int32_t sum;
  asm("smmla %0, %1, %2, %3" : "=r"(sum) : "r"(a), "r"(b), "r"(added));
  return sum;
}
// A number less the upper half of a * b: the difference is rounded as above.
inline int32_t subtract_high_product(int32_t a, int32_t b, int32_t from) {
  int32_t difference;
  asm("smmlsr %0, %1, %2, %3" : "=r"(difference) : "r"(a), "r"(b), "r"(from));
  return difference;
}
// a + b, which saturates.
inline int32_t saturated_sum(int32_t a, int32_t b) {
  int32_t sum;
  asm("qadd %0, %1, %2" : "=r"(sum) : "r"(a), "r"(b));
  return sum;
}
// The number of uint8 that is nearest to a number.
inline int32_t saturated_uint8(int32_t value) {
  int32_t nearest;
  asm("usat %0, #8, %1" : "=r"(nearest) : "r"(value));
  return nearest;
}
// The numbers of int8 and of int16 that are nearest to a number.
inline int32_t saturated_8(int32_t value) {
  int32_t nearest;
  asm("ssat %0, #8, %1" : "=r"(nearest) : "r"(value));
  return nearest;
}
inline int32_t saturated_16(int32_t value) {
  int32_t nearest;
  asm("ssat %0, #16, %1" : "=r"(nearest) : "r"(value));
  return nearest;
}
// Twice a number, which a compiler does not fold into what is made of it.
inline int32_t doubled(int32_t value) {
  int32_t twice;
  asm("lsl %0, %1, #1" : "=r"(twice) : "r"(value));
  return twice;
}
// The number of int8 that is nearest to a number, and to half of it, rounded down.
inline int32_t saturated_byte(int32_t value) {
  int32_t byte;
  asm("ssat %0, #8, %1" : "=r"(byte) : "r"(value));
  return byte;
}
inline int32_t saturated_half(int32_t value) {
  int32_t half;
  asm("ssat %0, #8, %1, asr #1" : "=r"(half) : "r"(value));
  return half;
}
// The same of uint8.
inline int32_t saturated_uint8_half(int32_t value) {
  int32_t half;
  asm("usat %0, #8, %1, asr #1" : "=r"(half) : "r"(value));
  return half;
}

#else

inline int32_t byte_of(uint32_t word, uint32_t i) { return static_cast<int8_t>(word >> 8 * i); }

inline uint32_t even_bytes(uint32_t word) { return pair_of(byte_of(word, 0), byte_of(word, 2)); }
inline uint32_t odd_bytes(uint32_t word) { return pair_of(byte_of(word, 1), byte_of(word, 3)); }
inline uint32_t add_even_bytes(uint32_t added, uint32_t word) {
  return pair_of(lower(added) + byte_of(word, 0), upper(added) + byte_of(word, 2));
}
inline uint32_t add_odd_bytes(uint32_t added, uint32_t word) {
  return pair_of(lower(added) + byte_of(word, 1), upper(added) + byte_of(word, 3));
}
inline uint32_t lower_pair(uint32_t first, uint32_t second) {
  return pair_of(lower(first), lower(second));
}
inline uint32_t upper_pair(uint32_t first, uint32_t second) {
  return pair_of(upper(first), upper(second));
}
inline void add_product(int32_t a, int32_t b, int32_t& sum) {
  sum = static_cast<int32_t>(static_cast<uint32_t>(sum) + static_cast<uint32_t>(a * b));
}
inline void add_products(uint32_t a, uint32_t b, int32_t& sum) {
  add_product(lower(a), lower(b), sum);
  add_product(upper(a), upper(b), sum);
}
inline void add_lower_product(uint32_t a, uint32_t b, int32_t& sum) {
  add_product(lower(a), lower(b), sum);
}
inline void add_upper_product(uint32_t a, uint32_t b, int32_t& sum) {
  add_product(upper(a), upper(b), sum);
}
inline void add_upper_lower_product(uint32_t a, uint32_t b, int32_t& sum) {
  add_product(upper(a), lower(b), sum);
}
inline uint32_t add_pairs(uint32_t a, uint32_t b) {
  return pair_of(lower(a) + lower(b), upper(a) + upper(b));
}
inline int32_t high_product(int32_t a, int32_t b) {
  return static_cast<int32_t>((int64_t{a} * b + (int64_t{1} << 31)) >> 32);
}
inline int32_t add_high_product(int32_t a, int32_t b, int32_t added) {
  return high_product(a, b) + added;
}
inline int32_t add_high_half(int32_t a, int32_t b, int32_t added) {
  return static_cast<int32_t>((int64_t{a} * b) >> 32) + added;
}
inline int32_t subtract_high_product(int32_t a, int32_t b, int32_t from) {
  const int64_t product = int64_t{a} * b;
  return static_cast<int32_t>((int64_t{from} * (int64_t{1} << 32) - product + (int64_t{1} << 31)) >>
                              32);
}
inline int32_t saturated_sum(int32_t a, int32_t b) {
  const int64_t sum = int64_t{a} + b;
  if (sum < INT32_MIN) return INT32_MIN;
  return sum > INT32_MAX ? INT32_MAX : static_cast<int32_t>(sum);
}
inline int32_t saturated_uint8(int32_t value) {
  const int32_t raised = value < 0 ? 0 : value;
  return raised > 255 ? 255 : raised;
}
inline int32_t saturated_8(int32_t value) {
  if (value < -128) return -128;
  return value > 127 ? 127 : value;
}
inline int32_t saturated_16(int32_t value) {
  if (value < -32768) return -32768;
  return value > 32767 ? 32767 : value;
}
inline int32_t doubled(int32_t value) {
  return static_cast<int32_t>(2 * static_cast<uint32_t>(value));
}
inline int32_t saturated_byte(int32_t value) {
  if (value < -128) return -128;
  return value > 127 ? 127 : value;
}
inline int32_t saturated_half(int32_t value) { return saturated_byte(value >> 1); }
inline int32_t saturated_uint8_half(int32_t value) { return saturated_uint8(value >> 1); }

#endif

// Words at any address.
inline uint32_t load_word(const void* from) {
  uint32_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

// Two words that follow each other, at an address that is a multiple of four, behind which `from`
// then lies.
inline void take_words(const std::byte*& from, uint32_t& first, uint32_t& second) {
#if defined(__ARM_FEATURE_DSP) && !defined(ARENITE_WITHOUT_DSP)
  asm("ldrd %0, %1, [%2], #8" : "=&r"(first), "=&r"(second), "+r"(from) : : "memory");
#else
  first = load_word(from);
  second = load_word(from + 4);
  from += 8;
#endif
}

// Writes both words of an array that is aligned to words, behind which `to` then lies.
inline void put_words(uint32_t (*&to)[2], uint32_t first, uint32_t second) {
#if defined(__ARM_FEATURE_DSP) && !defined(ARENITE_WITHOUT_DSP)
  asm volatile("strd %1, %2, [%0], #8" : "+r"(to) : "r"(first), "r"(second) : "memory");
#else
  (*to)[0] = first;
  (*to)[1] = second;
  ++to;
#endif
}

}  // namespace dsp
}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
