// The tables of one variant as the backend reads them, and the small questions asked of them.
#pragma once

#include <cstdint>
#include <span>

#include "core/backend.h"
#include "core/format.h"
#include "core/step.h"

namespace arenite::vk {

struct Task {
  const format::VariantRecord* variant = nullptr;
  const Bindings* bindings = nullptr;
  Records<format::ConstantRecord> constants;  // of the program
  Records<format::DescriptorSetRecord> descriptor_sets;
  Records<format::ArenaRecord> arenas;
  Records<format::ValueRecord> values;
  Records<format::StepRecord> steps;
  bool has_symbols = false;  // dims may change, and the variant's counts are those of the most
};

// Whether something of a variant follows from symbols.
inline bool follows_symbols(const Program& program, const format::VariantRecord& variant) {
  const auto index = static_cast<uint32_t>(&variant - program.variants().data());
  for (const format::SymbolicVariantRecord& record : program.symbolic_variants()) {
    if (record.variant == index) {
      return true;
    }
  }
  return false;
}

// Without bindings, values are those for the most of each symbol.
inline Task make_task(const BackendTask& from) {
  Records<format::ValueRecord> values = from.program->values_of(*from.variant);
  if (from.bindings != nullptr) {
    values = {from.bindings->values, values.size()};  // where views are now
  }
  return {from.variant,
          from.bindings,
          from.program->constants(),
          from.program->descriptor_sets_of(*from.variant),
          from.program->arenas_of(*from.variant),
          values,
          from.program->steps_of(*from.variant),
          follows_symbols(*from.program, *from.variant)};
}

inline format::Where where(const format::StepRecord& step) {
  return static_cast<format::Where>(step.where);
}

inline bool is_device_step(const format::StepRecord& step) {
  return where(step) == format::Where::kVulkan || where(step) == format::Where::kTransfer;
}

// The value that owns the bytes: itself, or the root of a view.
inline uint32_t root_of(const Task& task, uint32_t value) {
  return format::root_of(task.values.data(), value);
}

// Finds the next stretch of device steps at or after `first`; an empty one is the end.
inline StepRange next_stretch(Records<format::StepRecord> steps, uint32_t first) {
  while (first < steps.size() && !is_device_step(steps[first])) {
    ++first;
  }
  return {first, device_stretch_end(steps, first)};
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
