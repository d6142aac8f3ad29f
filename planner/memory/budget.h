// How much work a packing may still do: counted steps first, processor time as a backstop.
#pragma once

#include <cstdint>
#include <ctime>

namespace arenite::memory {

class Budget {
 public:
  Budget(uint64_t work_max, double seconds)
      : work_left_(work_max), seconds_(seconds), start_(std::clock()) {}

  void spend(uint64_t work) { work_left_ -= work < work_left_ ? work : work_left_; }
  uint64_t work_left() const { return work_left_; }

  // Reads the clock: ask between orders and restarts, not within.
  bool over() const {
    return work_left_ == 0 ||
           static_cast<double>(std::clock() - start_) >= seconds_ * CLOCKS_PER_SEC;
  }

 private:
  uint64_t work_left_;
  double seconds_;
  std::clock_t start_;
};

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
