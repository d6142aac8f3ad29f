// The CPU forms by name, each made from its row of schema/forms.def, and all of them for hosts.
#pragma once

#include <array>

#include "core/form.h"
#include "ops/contracts.h"

namespace arenite {

#define ARENITE_FORM(Type, number, name, types, needs, file) \
  extern const Form k##Type##Form##number, k##Type##Form##number##Code;
#include "schema/forms.def"

// Every operator with all its forms. Firmware names the forms it needs in a table of its own
// instead, so that no other is linked.
OpTable all_ops();

// The facts of a form that its row gives.
struct FormRow {
  Op op;
  uint8_t number;
  TypeSet types;
  CpuFeatures needs;
};

consteval auto form_rows() {
  using namespace cpu_features;
  return std::to_array<FormRow>({
#define ARENITE_FORM(Type, number, name, types, needs, file) \
  {Op::k##Type, number, k##Type##Types & k##types##Form, needs},
#include "schema/forms.def"
  });
}
inline constexpr auto kFormRows = form_rows();

// Without types where there is no such row.
constexpr FormRow form_row(Op op, uint8_t number) {
  for (const FormRow& row : kFormRows) {
    if (row.op == op && row.number == number) return row;
  }
  return {op, number, 0, 0};
}
consteval TypeSet form_types(Op op, uint8_t number) { return form_row(op, number).types; }

// A form with the facts of its row and these others. It does not compile without a row: what is
// called then is defined nowhere.
void schema_forms_def_has_no_such_row();
constexpr Form make_form(Op op, uint8_t number, Form facts) {
  const FormRow row = form_row(op, number);
  if (row.types == 0) schema_forms_def_has_no_such_row();
  facts.op = op;
  facts.number = number;
  facts.types = row.types;
  facts.needs = row.needs;
  return facts;
}

// Facts that forms share, and the code of one of them; null where it is for another kind of CPU.
constexpr Form with_run(Form facts, decltype(Form::run) run) {
  facts.run = run;
  return facts;
}

// A form's code without its facts, which are for planners and proofs: an image that believes its
// program links no more than what runs.
constexpr Form code_of(const Form& form) {
  return {.op = form.op, .number = form.number, .run = form.run};
}

}  // namespace arenite

// Stands behind the definition of each form.
#define ARENITE_FORM_CODE(Type, number) \
  constexpr Form k##Type##Form##number##Code = code_of(k##Type##Form##number);

// Defines the reference forms of a member of a family: make<Member, types>(op, number) for each of
// the numbers 0 to 2 that has a row.
#define ARENITE_REFERENCE_FORM(Type, number, Member, make)                               \
  [[maybe_unused]] constexpr Form k##Type##Form##number = []<TypeSet kTypes>() -> Form { \
    if constexpr (kTypes != 0) return make<Member, kTypes>(Op::k##Type, number);         \
    return {};                                                                           \
  }.template operator()<form_types(Op::k##Type, number)>();                              \
  [[maybe_unused]] ARENITE_FORM_CODE(Type, number)
#define ARENITE_REFERENCE_FORMS(Type, Member, make) \
  ARENITE_REFERENCE_FORM(Type, 0, Member, make)     \
  ARENITE_REFERENCE_FORM(Type, 1, Member, make)     \
  ARENITE_REFERENCE_FORM(Type, 2, Member, make)
// SPDX-License-Identifier: Apache-2.0
