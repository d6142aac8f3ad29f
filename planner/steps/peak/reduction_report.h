// The savings of each pass that lowers the peak of a variant.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace arenite::planner {

// The effect of one pass after those before it in the list.
struct PeakEffect {
  std::string pass;
  bool enabled = true;
  uint32_t places = 0;      // where it did something
  uint64_t live_bytes = 0;  // most bytes live at one step with it, scratch and tails included
  int64_t saved_bytes = 0;  // less than without it
};

struct PeakReport {
  uint64_t baseline_bytes = 0;  // most live in the fused graph as it is: baseline_live_bytes
  uint64_t native_bytes = 0;    // most live with no pass, scratch, tails and copies included
  std::vector<PeakEffect> effects;
  uint64_t final_bytes = 0;  // of the arenas, as placed

  // final_bytes / baseline_bytes; 1 when there is nothing to place.
  double ratio() const {
    return baseline_bytes == 0
               ? 1.0
               : static_cast<double>(final_bytes) / static_cast<double>(baseline_bytes);
  }
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
