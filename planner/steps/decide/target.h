// What the steps of a variant may be planned for: CPU forms, shaders, how weights may be packed,
// and what is known of costs.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "planner/board/board.h"
#include "planner/graph/target_forms.h"

namespace arenite::planner {

// Whether shaders carry out a step.
using ShaderSupport = std::function<bool(const Step& step)>;

struct Target {
  TargetForms forms;
  ShaderSupport shaders;  // null: every step runs on the CPU
  uint32_t threads_max = 1;
  // Panels of 16 outputs are wanted of weights where a form reads them; else rows, which are
  // smaller.
  bool panels = false;
  const StepCosts* costs = nullptr;      // measured ones; null: the order of rows decides
  std::vector<std::string> explained{};  // nodes whose options are kept for people
  // The forms that steps must have, in the order in which they are laid out, null for views, and
  // the machines that run them; empty: they are to be chosen.
  std::vector<const Form*> given_forms{};
  std::vector<format::Where> given_machines{};
  // Nodes, by the names of their steps, that no shader does at every size: the CPU's.
  std::set<std::string> left_to_cpu{};
  // Dims are those of the most, of several sizes: where parts of a storage lie differs.
  bool any_size = false;
};

// Whether a board's steps want panels: for shaders, or for a CPU that computes several floats at
// once. All variants of a board want the same, so that a program stores their constants once.
bool wants_panels(const Board& board);

// The target that a board is without shaders and measured costs.
Target cpu_target(const Board& board, const TargetForms& forms);

// The packings that are wanted of a step's constants if the form is to read them.
Packings wanted_packings(const Target& target, const Form& form);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
