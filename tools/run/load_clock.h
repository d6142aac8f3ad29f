// Times the parts of loading a program on a Vulkan device.
#pragma once

#include <cstdint>

#include "tools/run/profiler.h"
#include "vk/phases.h"

namespace arenite::tools {

class LoadClock {
 public:
  // What ends next began now.
  void begin() { begin_ns_ = now_ns(); }
  // Adds the time since the last begin or end to a part.
  void end(double& part_ms) {
    const uint64_t end_ns = now_ns();
    part_ms += static_cast<double>(end_ns - begin_ns_) / 1e6;
    begin_ns_ = end_ns;
  }
  vk::PhaseListener listener() {
    return {this, [](void* context, vk::Phase phase) {
              auto& clock = *static_cast<LoadClock*>(context);
              clock.end(clock.ms[static_cast<uint32_t>(phase)]);
            }};
  }

  double ms[vk::kPhaseCount] = {};

 private:
  uint64_t begin_ns_ = 0;
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
