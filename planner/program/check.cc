// Opens the program with the runtime's own loader and proves each variant with all forms.
#include "planner/program/check.h"

#include <stdexcept>
#include <string>
#include <vector>

#include "core/predicate.h"
#include "core/state.h"
#include "core/verify.h"
#include "planner/graph/names.h"
#include "portable_fallback/forms.h"
#include "support/status_text.h"

namespace arenite::planner {
namespace {

void expect_ok(Status status, const std::string& what) {
  if (status.ok()) return;
  throw std::logic_error("the program is refused: " + what + ": " + status_text(status));
}

// Proves one variant. `planned`: each CPU step got the form it was planned for.
Status prove(const Program& program, const TargetForms& target, uint32_t method_index,
             uint32_t variant_index, bool& planned) {
  const format::MethodRecord& method = program.methods()[method_index];
  const format::VariantRecord& variant = program.variants()[method.variant_first + variant_index];
  const std::byte* sections[kMaxSections] = {};
  for (uint32_t i = 0; i < program.sections().size(); ++i) {
    sections[i] = program.section_bytes(i).data();
  }
  Bindings bindings = program.bindings_of(variant);
  bindings.sections = sections;
  FormTask forms = form_task(bindings, program, variant, target.ops, target.features);
  forms.as_planned = true;
  std::vector<uint32_t> proof(variant.value_count);
  const Status status = verify_variant({&program, &method, &variant, &forms}, proof, planned);
  if (!status.ok()) return status;
  if (!program.predicates().empty()) {
    ARENITE_TRY(kPredicates.check({&program, &variant, &bindings}));
  }
  if (program.states().empty()) return status;
  return kStates.check({&program, &variant, method_index, &bindings});
}

bool verify(const Program& program, const TargetForms& target, uint32_t method_index,
            uint32_t variant_index) {
  const format::MethodRecord& method = program.methods()[method_index];
  const format::VariantRecord& variant = program.variants()[method.variant_first + variant_index];
  bool planned = false;
  TargetForms elsewhere = target;
  elsewhere.features |= kCodeElsewhere;
  const Status status = prove(program, elsewhere, method_index, variant_index, planned);
  std::string where =
      "method " + std::to_string(method_index) + ", variant " + std::to_string(variant_index);
  if (status.step < variant.step_count) {
    const auto op = static_cast<Op>(program.steps_of(variant)[status.step].op);
    where += ", " + op_name(op) + " (" + operand_fault(status.code) + ")";
  }
  expect_ok(status, where);
  return planned;
}

}  // namespace

Status proof_of(const Program& program, uint32_t method_index, uint32_t variant_index) {
  bool planned = false;
  return prove(program, {all_ops()}, method_index, variant_index, planned);
}

bool check_program(const Program& program, const TargetForms& target) {
  ConstantsCursor cursor;
  expect_ok(program.verify_constants(UINT32_MAX, cursor), "constants");
  bool planned = true;
  for (uint32_t m = 0; m < program.methods().size(); ++m) {
    for (uint32_t v = 0; v < program.methods()[m].variant_count; ++v) {
      planned = verify(program, target, m, v) && planned;
    }
  }
  return planned;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
