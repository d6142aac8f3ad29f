// Takes panels off what a form reads where the target does not want them.
#include "planner/steps/decide/target.h"

#include <algorithm>

#include "ops/packings.h"

namespace arenite::planner {

bool wants_panels(const Board& board) {
  // Not among them: the vectors of Arm's M-profile. Microcontrollers keep rows, for their flash.
  constexpr CpuFeatures kFloatVectors = cpu_features::kF32x4 | cpu_features::kNeon |
                                        cpu_features::kSse41 | cpu_features::kAvx2 |
                                        cpu_features::kAvx512f | cpu_features::kRvv;
  return std::ranges::any_of(board.variants, [](const BoardVariant& variant) {
    return variant.vulkan.has_value() || (variant.cpu_features & kFloatVectors) != 0;
  });
}

Target cpu_target(const Board& board, const TargetForms& forms) {
  Target target;
  target.forms = forms;
  target.threads_max = board.threads_max;
  target.panels = wants_panels(board);
  return target;
}

Packings wanted_packings(const Target& target, const Form& form) {
  return form.packings == kPanelPackings && !target.panels ? Packings{} : form.packings;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
