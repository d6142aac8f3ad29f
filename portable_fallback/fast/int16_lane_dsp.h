// Copies what a place reads to pairs of 16-bit numbers.
#pragma once

#include "core/access.h"
#include "portable_fallback/fast/dsp.h"

namespace arenite {
namespace {

// Writes the numbers that one place reads to the rows: pairs that lie `step` words apart.
class Lane {
 public:
  Lane(uint32_t* to, size_t step) : step_(step), to_(to) {}

  void copy(Src<int16_t> x, size_t x_step, uint32_t count) {
    if (x_step == 1 && !is_second_) {
#pragma GCC unroll 4
      for (; count >= 2; count -= 2, x += 2, to_ += step_) {
        take(static_cast<int16_t*>(static_cast<void*>(to_)), x, 2);
      }
    }
    for (; count != 0; --count, x += x_step) put(*x);
  }
  void fill(int32_t number, uint32_t count) {
    for (; count != 0; --count) put(number);
  }
  void begin(uint32_t* to) { to_ = to; }
  // A last number without a partner has 0.
  void end() { is_second_ = false; }

 private:
  // A last number without a partner gets 0.
  void put(int32_t number) {
    if (is_second_) {
      *to_ = dsp::pair_of(dsp::lower(*to_), number);
      to_ += step_;
    } else {
      *to_ = dsp::pair_of(number, 0);
    }
    is_second_ = !is_second_;
  }

  const size_t step_;
  uint32_t* to_;
  bool is_second_ = false;
};

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
