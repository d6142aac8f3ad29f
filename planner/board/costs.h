// What steps take on a board, as somebody measured it: plans for it choose by these numbers.
#pragma once

#include <map>
#include <string>

namespace arenite::planner {

// Picoseconds.
struct MeasuredCost {
  double ps_per_unit = 0;
  double ps = 0;  // once, however many units
  // Only forms have the following (planner/graph/step_size.h).
  double ps_per_result = 0;
  double ps_per_line = 0;
  double ps_per_row = 0;
  double ps_per_tap = 0;
  double ps_per_input = 0;
  double ps_per_weight = 0;
};

struct StepCosts {
  // By name: "Conv.float32" for a CPU form, "Conv.vulkan" for an operator's shaders; where the cost
  // is that of one case of the form, with the case: "QuantizedConv.int8_dsp half_even". A unit is
  // an elementary operation (core/contract.h, Work).
  std::map<std::string, MeasuredCost> forms;
  MeasuredCost transfer;  // of a value between CPU and device; a unit is a byte
  // A cut of the device's commands, so that some may be left out, costs the first; a wait for the
  // device there, to read a condition, costs the second as well. Without a board's own numbers they
  // are about what a small GPU takes, not a measurement.
  double cut_ps = 5e6;
  double wait_ps = 1e8;

  bool empty() const { return forms.empty(); }
  // The cost of the case of a form, else that of the form; null where neither is known.
  const MeasuredCost* find(const std::string& form, const std::string& which) const {
    auto found = which.empty() ? forms.end() : forms.find(form + " " + which);
    if (found == forms.end()) found = forms.find(form);
    return found == forms.end() ? nullptr : &found->second;
  }
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
