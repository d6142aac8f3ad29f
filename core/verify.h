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

// All of the checks below. `proof` is memory for the overlap proof (verify_overlap).
Status verify_variant(const VerifyTask& task, std::span<uint32_t> proof);

// Each value lies in its storage with every element its dims and strides (or panels) can reach, is
// aligned to its element size and has a lifetime inside the variant's steps; a view lies inside its
// root in place and time. Status.value = the value.
Status verify_values(const VerifyTask& task);

// Each step reads only what has been written, writes only what is born by it, reaches the arenas it
// names from where it runs, and passes its op's check. Status.step = the step.
Status verify_steps(const VerifyTask& task);

// The method's inputs and outputs are row-major and reachable from the CPU; inputs are distinct
// and live from the start; outputs live to the end and are written. Status.value = the value.
Status verify_io(const VerifyTask& task);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
