// The switches of all passes: those of the graph, and those that lower the peak of a variant.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace arenite::planner {

struct PeakPasses {
  bool concat_in_place = true;
  bool order = true;
  bool in_place = true;
  bool partial_overlap = true;
  bool input_copies = true;
  // No passes of their own: what partial_overlap and in_place may cost, and may be about.
  bool serial_steps = true;
  bool moving_parts = true;
  // Nor this: what concat_in_place is for. Each copy that it saves is a dispatch on a device, which
  // is worth more than bytes where speed is asked for.
  bool parts_for_bytes = true;
  // Nor this: what input_copies is for. Hosts compute faster where channels are neighbors.
  bool copies_for_bytes = true;
};

struct PeakPass {
  const char* name;    // of its switch
  const char* effect;  // one line for --help and reports
  bool PeakPasses::*enabled;
};

// In the order in which reports add them up.
std::span<const PeakPass> peak_passes();

// The switches of passes of both kinds, those of the graph (planner/passes) and these.
struct PassSwitches {
  std::vector<std::string> graph_disabled;
  PeakPasses peak;
};

// Throws InputError, which lists all passes, for a name that none has.
PassSwitches switches_of(std::span<const std::string> disabled);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
