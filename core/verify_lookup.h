// What the checks of steps and of inputs and outputs look up about values.
#pragma once

#include "core/verify.h"

namespace arenite {

inline format::ValueKind kind_of(const format::ValueRecord& v) {
  return static_cast<format::ValueKind>(v.kind);
}

// The value whose bytes `value` lies in: itself unless it is a view.
inline uint32_t root_of(const format::ValueRecord* values, uint32_t value) {
  return kind_of(values[value]) == format::ValueKind::kView ? values[value].below_or_root : value;
}

// Whether the value is one of the method's inputs.
bool is_input(const VerifyTask& task, uint32_t value);

// Whether the arena value `root` holds something when step `index` begins: it is an input, or the
// step it names as its first is an earlier one and writes it.
bool written_before(const VerifyTask& task, uint32_t root, uint32_t index);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
