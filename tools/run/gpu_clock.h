// A device's clock in the host's time.
#pragma once

#include <cstdint>

namespace arenite::tools {

// Ticks have `bits` bits (1 to 64) that count and wrap around; each is `tick_ns` nanoseconds. There
// is no common zero, so that each submission is put between the moments at which the host sent it
// off and had it back: where the one before says it was, moved as little as these two demand. What
// remains unknown is at most what the host spent beside the device's work.
class GpuClock {
 public:
  GpuClock(uint32_t bits, double tick_ns);

  // Nanoseconds from one tick to a later one.
  uint64_t between_ns(uint64_t from, uint64_t to) const;
  // A submission that began at tick `first` and ended at tick `last`.
  void fit(uint64_t sent_ns, uint64_t back_ns, uint64_t first, uint64_t last);
  // The host's time of a tick of the submission that was fitted last.
  uint64_t host_ns(uint64_t tick) const;

 private:
  uint64_t mask_;
  double tick_ns_;
  bool fitted_ = false;
  uint64_t first_ = 0, first_ns_ = 0;
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
