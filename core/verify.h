// Proves that a variant is safe to run: every step, and no two live values sharing bytes.
#pragma once

#include <cstdint>
#include <span>

#include "core/form_choice.h"
#include "core/program.h"

namespace arenite {

// The input of a proof: one variant of an opened program, bound to memory or not.
struct VerifyTask {
  const Program* program = nullptr;
  const format::MethodRecord* method = nullptr;
  const format::VariantRecord* variant = nullptr;
  const FormTask* forms = nullptr;  // with the variant's bindings: arenas may be null, sections not
};

// Proves facts of a program whose records have been checked (check_records), in this order:
//   - each step reads only bytes that have been written, writes only values born by it, reaches the
//     storage of its operands from where it runs, keeps its op's contract, and writes over an input
//     only at the safe distance of a form that fits it (Status.step = the step, Status.value = the
//     value, or what the contract says);
//   - the method's inputs and outputs are row-major and reachable from the CPU; inputs are distinct
//     and live from the start; outputs live to the end, are written and yield to no value
//     (Status.value = the value);
//   - no two values that live at the same time share bytes (verify_overlap, which uses `proof`).
// `planned` tells whether every CPU step has the form that it was planned for, not another. Of a
// variant of no values (value_count 0) only the steps, inputs and outputs are proved: that is how
// they are proved again, when values that share no bytes have other dims.
Status verify_variant(const VerifyTask& task, std::span<uint32_t> proof, bool& planned);

// All that proves a program, reached by pointers alone: firmware that trusts the program it holds
// names no Verification, and links none of it.
struct Verification {
  Status (*records)(const Program& program);  // check_records
  Status (*variant)(const VerifyTask& task, std::span<uint32_t> proof, bool& planned);
  // Makes FormChoice::choose again for a step that has been proved.
  const Form* (*choose)(const FormTask& task, const OpEntry& entry, const Step& step);
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
