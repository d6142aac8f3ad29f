// Spells out the rows of schema/forms.def.
#include "portable_fallback/form_names.h"

namespace arenite {
namespace {

constexpr FormNames kNames[] = {
#define ARENITE_FORM(Type, number, name, types, needs, file) \
  {Op::k##Type, number, #Type "." #name, "k" #Type "Form" #number, "portable_fallback/" file},
#include "schema/forms.def"
};

}  // namespace

std::span<const FormNames> form_names() { return kNames; }

const FormNames* find_form_names(Op op, uint8_t number) {
  for (const FormNames& names : kNames) {
    if (names.op == op && names.number == number) return &names;
  }
  return nullptr;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
