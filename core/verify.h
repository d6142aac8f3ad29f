// Proves that a variant is safe to run: every value, every step, no two live values sharing bytes.
#pragma once

#include <cstdint>
#include <span>

#include "core/kernel.h"
#include "core/program.h"

namespace arenite {

// What is verified: one variant of an opened program, bound to memory or not.
struct VerifyTask {
  const Program* program = nullptr;
  const format::MethodRecord* method = nullptr;
  const format::VariantRecord* variant = nullptr;
  const Bindings* bindings = nullptr;  // the variant's; arenas may be null, sections may not
  KernelTable kernels;                 // must hold every op that is not a view
};

// Proves, in this order, that
// - each value lies in its storage with every element its dims and strides (or panels) can reach,
//   is aligned to its element size and lives within the variant's steps; a view lies inside its
//   root in place and time; an arena of the caller holds one value (Status.value = the value);
// - each step reads only what has been written, writes only what is born by it, reaches the
//   storage of its operands from where it runs, passes its op's check, and writes over an input
//   only as far behind the reads as its kernel states (Status.step = the step, Status.value = the
//   value, or what the op's check says);
// - the method's inputs and outputs are row-major and reachable from the CPU; inputs are distinct
//   and live from the start; outputs live to the end, are written and yield to nobody (Status.value
//   = the value);
// - no two values that live at the same time share bytes (verify_overlap, which uses `proof`).
Status verify_variant(const VerifyTask& task, std::span<uint32_t> proof);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
