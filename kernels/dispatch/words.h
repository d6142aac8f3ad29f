// The words that shaders are given, as fields of the structs that kernels/shader_words.py
// generates: each takes values of its own type alone, and none can be left out.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "kernels/dispatch/collapse.h"
#include "kernels/dispatch/command.h"

namespace arenite::shaders {

template <typename T>
constexpr uint32_t bits_of(T value) {
  if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<uint32_t>(value);
  } else {
    return static_cast<uint32_t>(value);
  }
}

// One of type uint32_t, int32_t, float, bool, or of an enumeration.
template <typename T>
class Word {
 public:
  template <std::same_as<T> Value>
  constexpr Word(Value value) : bits_(bits_of(value)) {}  // NOLINT(google-explicit-constructor)

 private:
  uint32_t bits_;
};

// Numbers of an array of which the first `there` are taken, and another number behind them.
struct Numbers {
  const uint32_t* from;
  uint32_t there = UINT32_MAX;
  uint32_t otherwise = 0;

  // Writes as many as a field has.
  void write(uint32_t* to, uint32_t count) const;
};

// The first of many numbers.
inline Numbers first_of(const uint32_t* numbers) { return {numbers}; }
// The dims of loops, ones behind them, and the strides of an operand, zeros behind them.
inline Numbers dims_of(const Loops& loops) { return {loops.dims, loops.rank, 1}; }
inline Numbers strides_of(const Loops& loops, uint32_t operand) {
  return {loops.strides[operand], loops.rank};
}

// `count` of them: an array, numbers, or what at(i) gives for each i.
template <typename T, uint32_t count>
class Words {
 public:
  constexpr Words(const T (&values)[count]) {  // NOLINT(google-explicit-constructor)
    for (uint32_t i = 0; i < count; ++i) bits_[i] = bits_of(values[i]);
  }
  Words(const Numbers& numbers)  // NOLINT(google-explicit-constructor)
      requires std::same_as<T, uint32_t> {
    numbers.write(bits_, count);
  }
  template <std::invocable<uint32_t> At>
  requires std::same_as<std::invoke_result_t<At, uint32_t>, T>
  constexpr Words(const At& at) {  // NOLINT(google-explicit-constructor)
    for (uint32_t i = 0; i < count; ++i) bits_[i] = bits_of(at(i));
  }

 private:
  uint32_t bits_[count];
};

// Words without a meaning.
template <uint32_t count>
struct Zeros {
  uint32_t zeros[count] = {};
};

// Loops over the first operands, as walk.glsl reads them.
template <uint32_t operands>
class WalkWords {
 public:
  WalkWords(const Loops& loops) : dims_(dims_of(loops)) {  // NOLINT(google-explicit-constructor)
    for (uint32_t k = 0; k < operands; ++k) strides_of(loops, k).write(strides_[k], Loops::kDims);
  }

 private:
  Words<uint32_t, Loops::kDims> dims_;
  uint32_t strides_[operands][Loops::kDims];
};

}  // namespace arenite::shaders
// SPDX-License-Identifier: Apache-2.0
