// A small random generator whose numbers are the same on every machine and library.
#pragma once

#include <cstdint>

namespace arenite {

// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // A number from 0 to count - 1; count > 0. The bias is far below what any use here could notice.
  uint64_t below(uint64_t count) { return next() % count; }
  // A number from 0 up to, not including, 1.
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  uint64_t state_;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
