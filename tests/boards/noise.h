// A line that damages some of the frames which go over it.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "boards/harness/frame.h"

namespace arenite::boards_test {

// Of each frame, with probability `share`, somewhere in its first bytes or behind: bits are
// flipped, or up to four bytes are dropped, or they come twice.
class Noise {
 public:
  Noise(uint64_t seed, double share) : random_(seed), share_(share) {}

  // Appends what arrives of a byte. True where it ends the first word of a frame.
  bool pass(uint8_t byte, std::vector<uint8_t>& to) {
    word_ = word_ >> 8 | uint32_t{byte} << 24;
    const bool begins = word_ == harness::kFrameSync;
    if (begins) {
      ++frames_;
      if (std::uniform_real_distribution<double>()(random_) < share_) {
        constexpr uint32_t kReach = 48;
        until_ = 1 + random_() % kReach;
        kind_ = random_() % 3;
        left_ = 1 + random_() % 4;
        ++damaged_;
      }
    }
    if (until_ > 1) {
      --until_;
    } else if (until_ == 1) {
      if (--left_ == 0) until_ = 0;
      if (kind_ == 0) byte ^= static_cast<uint8_t>(1u << (random_() % 8));
      if (kind_ == 1) return begins;
      if (kind_ == 2) to.push_back(byte);
    }
    to.push_back(byte);
    return begins;
  }

  uint64_t frames() const { return frames_; }
  uint64_t damaged() const { return damaged_; }

 private:
  std::mt19937_64 random_;
  double share_;
  uint32_t word_ = 0;
  uint64_t frames_ = 0, damaged_ = 0;
  uint64_t until_ = 0, kind_ = 0, left_ = 0;  // of the damage to come
};

}  // namespace arenite::boards_test
// SPDX-License-Identifier: Apache-2.0
