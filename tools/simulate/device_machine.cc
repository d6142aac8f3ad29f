// Gives each arena of the CPU its memory; those of the device are the driver's.
#include "tools/simulate/device_machine.h"

#include <algorithm>

#include "core/form_choice.h"
#include "portable_fallback/form_names.h"
#include "portable_fallback/forms.h"
#include "tools/simulate/board_cpu.h"

namespace arenite::tools {

CpuFeatures DeviceMachine::features() const { return simulated_features(board_, true); }

void DeviceMachine::prepare(const Program& program, const format::VariantRecord& variant) {
  program_ = &program;
  variant_ = &variant;
  memories_.clear();
  spans_.clear();
  for (const format::ArenaRecord& arena : program.arenas_of(variant)) {
    if (format::is_device_arena(static_cast<format::ArenaKind>(arena.kind))) {
      spans_.emplace_back();
      continue;
    }
    check_arena(file_, program, arena, board_);
    memories_.push_back(std::make_unique<MappedMemory>(arena.bytes));
    spans_.push_back(memories_.back()->bytes());
    std::ranges::fill(spans_.back(), std::byte{0});
  }
}

OpTable DeviceMachine::ops() { return all_ops(); }

std::string DeviceMachine::form_name(const Step& step) const {
  const FormTask task = form_task(step.bindings(), *program_, *variant_, all_ops(), features());
  const Form* form = FormChoice(task).choose(*find_op(all_ops(), step.op()), step);
  const FormNames* names = form == nullptr ? nullptr : find_form_names(form->op, form->number);
  return names == nullptr ? "" : names->key;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
