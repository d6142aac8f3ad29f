// Fits submissions into the time that the host spent on them.
#include "tools/run/gpu_clock.h"

#include <algorithm>
#include <cmath>

namespace arenite::tools {

GpuClock::GpuClock(uint32_t bits, double tick_ns)
    : mask_(bits >= 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1), tick_ns_(tick_ns) {}

uint64_t GpuClock::between_ns(uint64_t from, uint64_t to) const {
  const uint64_t ticks = (to - from) & mask_;
  // A step's end may be noted a little before the end of the one before it.
  if (ticks > mask_ / 2) return 0;
  return static_cast<uint64_t>(std::llround(static_cast<double>(ticks) * tick_ns_));
}

void GpuClock::fit(uint64_t sent_ns, uint64_t back_ns, uint64_t first, uint64_t last) {
  const uint64_t work_ns = between_ns(first, last);
  const uint64_t latest = std::max(sent_ns, back_ns - std::min(back_ns, work_ns));
  const uint64_t guess =
      fitted_ ? first_ns_ + between_ns(first_, first) : sent_ns + (latest - sent_ns) / 2;
  first_ns_ = std::clamp(guess, sent_ns, latest);
  first_ = first;
  fitted_ = true;
}

uint64_t GpuClock::host_ns(uint64_t tick) const { return first_ns_ + between_ns(first_, tick); }

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
