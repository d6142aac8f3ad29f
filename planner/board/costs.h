// What steps take on a board, as somebody measured it: plans for it choose by these numbers.
#pragma once

#include <map>
#include <string>

namespace arenite::planner {

struct MeasuredCost {
  double ps_per_unit = 0;  // picoseconds
  double ps = 0;           // once, however many units
};

struct StepCosts {
  // By name: "Conv.float32" for a CPU form, "Conv.vulkan" for an operator's shaders. A unit is an
  // elementary operation (core/contract.h, Work).
  std::map<std::string, MeasuredCost> forms;
  MeasuredCost transfer;  // of a value between CPU and device; a unit is a byte
  // A cut of the device's commands, so that some may be left out, costs the first; a wait for the
  // device there, to read a condition, costs the second as well. Without a board's own numbers they
  // are about what a small GPU takes, not a measurement.
  double cut_ps = 5e6;
  double wait_ps = 1e8;

  bool empty() const { return forms.empty(); }
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
