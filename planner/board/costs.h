// What steps take on a board, as somebody measured it: plans for it choose by these numbers.
#pragma once

#include <iterator>
#include <map>
#include <string>

#include "planner/graph/step_size.h"

namespace arenite::planner {

// Picoseconds.
struct MeasuredCost {
  double ps_per_unit = 0;
  double ps = 0;  // once, however many units
  // Only forms have the following (planner/graph/step_size.h).
  double ps_per_result = 0;
  double ps_per_scaled_result = 0;
  double ps_per_line = 0;
  double ps_per_row = 0;
  double ps_per_tap = 0;
  double ps_per_input = 0;
  double ps_per_weight = 0;
  double ps_per_inside_unit = 0;
  double ps_per_edge_tap = 0;
  double ps_per_single_unit = 0;
  double ps_per_single_result = 0;
  double ps_per_odd_unit = 0;
  double ps_per_odd_result = 0;
  double ps_per_short_result = 0;
  double ps_per_odd_input = 0;
  double ps_per_offset_input = 0;
  double ps_per_row_weight = 0;
  double ps_per_row_result = 0;
  double ps_per_row_input = 0;
  double ps_per_large_unit = 0;
  double ps_per_activated = 0;
  double ps_per_hard_activated = 0;
  double ps_per_exp_activated = 0;
  double ps_per_apart = 0;
  double ps_per_byte = 0;
  double ps_per_far_byte = 0;

  bool operator==(const MeasuredCost&) const = default;
};

// Each number of a form's cost: its key in board files, and the term of a step's size that it
// multiplies.
struct CostKey {
  const char* key;
  double MeasuredCost::*ps;
  SizeTerm term;
};
inline constexpr CostKey kCostKeys[] = {
    {"ps_per_unit", &MeasuredCost::ps_per_unit, SizeTerm::kUnit},
    {"ps", &MeasuredCost::ps, SizeTerm::kStep},
    {"ps_per_result", &MeasuredCost::ps_per_result, SizeTerm::kResult},
    {"ps_per_scaled_result", &MeasuredCost::ps_per_scaled_result, SizeTerm::kScaledResult},
    {"ps_per_line", &MeasuredCost::ps_per_line, SizeTerm::kLine},
    {"ps_per_row", &MeasuredCost::ps_per_row, SizeTerm::kRow},
    {"ps_per_tap", &MeasuredCost::ps_per_tap, SizeTerm::kTap},
    {"ps_per_input", &MeasuredCost::ps_per_input, SizeTerm::kInput},
    {"ps_per_weight", &MeasuredCost::ps_per_weight, SizeTerm::kWeight},
    {"ps_per_inside_unit", &MeasuredCost::ps_per_inside_unit, SizeTerm::kInsideUnit},
    {"ps_per_edge_tap", &MeasuredCost::ps_per_edge_tap, SizeTerm::kEdgeTap},
    {"ps_per_single_unit", &MeasuredCost::ps_per_single_unit, SizeTerm::kSingleUnit},
    {"ps_per_single_result", &MeasuredCost::ps_per_single_result, SizeTerm::kSingleResult},
    {"ps_per_odd_unit", &MeasuredCost::ps_per_odd_unit, SizeTerm::kOddUnit},
    {"ps_per_odd_result", &MeasuredCost::ps_per_odd_result, SizeTerm::kOddResult},
    {"ps_per_short_result", &MeasuredCost::ps_per_short_result, SizeTerm::kShortResult},
    {"ps_per_odd_input", &MeasuredCost::ps_per_odd_input, SizeTerm::kOddInput},
    {"ps_per_offset_input", &MeasuredCost::ps_per_offset_input, SizeTerm::kOffsetInput},
    {"ps_per_row_weight", &MeasuredCost::ps_per_row_weight, SizeTerm::kRowWeight},
    {"ps_per_row_result", &MeasuredCost::ps_per_row_result, SizeTerm::kRowResult},
    {"ps_per_row_input", &MeasuredCost::ps_per_row_input, SizeTerm::kRowInput},
    {"ps_per_large_unit", &MeasuredCost::ps_per_large_unit, SizeTerm::kLargeUnit},
    {"ps_per_activated", &MeasuredCost::ps_per_activated, SizeTerm::kActivated},
    {"ps_per_hard_activated", &MeasuredCost::ps_per_hard_activated, SizeTerm::kHardActivated},
    {"ps_per_exp_activated", &MeasuredCost::ps_per_exp_activated, SizeTerm::kExpActivated},
    {"ps_per_apart", &MeasuredCost::ps_per_apart, SizeTerm::kApart},
    {"ps_per_byte", &MeasuredCost::ps_per_byte, SizeTerm::kByte},
    {"ps_per_far_byte", &MeasuredCost::ps_per_far_byte, SizeTerm::kFarByte},
};
static_assert(std::size(kCostKeys) == kSizeTerms);

// By name: "Conv.float32" for a CPU form, "Conv.vulkan" for an operator's shaders; where the cost
// is that of one case of the form, with the case: "QuantizedConv.int8_dsp half_even". A unit is
// an elementary operation (core/contract.h, Work).
using FormCosts = std::map<std::string, MeasuredCost>;

// The cost of the case of a form, else that of the form; null where neither is known.
inline const MeasuredCost* find_cost(const FormCosts& forms, const std::string& form,
                                     const std::string& which) {
  auto found = which.empty() ? forms.end() : forms.find(form + " " + which);
  if (found == forms.end()) found = forms.find(form);
  return found == forms.end() ? nullptr : &found->second;
}

struct StepCosts {
  FormCosts forms;
  MeasuredCost transfer;  // of a value between CPU and device; a unit is a byte
  // A cut of the device's commands, so that some may be left out, costs the first; a wait for the
  // device there, to read a condition, costs the second as well. Without a board's own numbers they
  // are about what a small GPU takes, not a measurement.
  double cut_ps = 5e6;
  double wait_ps = 1e8;

  bool empty() const { return forms.empty(); }
  const MeasuredCost* find(const std::string& form, const std::string& which) const {
    return find_cost(forms, form, which);
  }
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
