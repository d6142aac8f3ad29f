// The reference forms of each operator, and the table of all operators for hosts.
#pragma once

#include "core/form.h"

namespace arenite {

// k<Type>Form<number>, of those that there are, and k<Type>Forms: the list of them.
#define ARENITE_KERNEL_OP(number, name, Type, set)                  \
  extern const Form k##Type##Form0, k##Type##Form1, k##Type##Form2; \
  extern const Form* const k##Type##Forms[];
#include "schema/ops.def"
// Over weights of two elements a byte, which are references too: the other forms do not read them.
extern const Form kQuantizedConvForm3, kQuantizedConvForm4;
extern const Form kQuantizedConvTransposeForm3, kQuantizedConvTransposeForm4;
extern const Form kQuantizedMatMulForm3, kQuantizedMatMulForm4;

// Every operator with all its forms. Firmware names the forms it needs in a table of its own
// instead, so that no other is linked.
OpTable all_ops();

// Place `at` of a list of those of three forms that take some type.
constexpr const Form* listed_form(uint32_t at, const Form* first, const Form* second,
                                  const Form* third) {
  for (const Form* form : {first, second, third}) {
    if (form->types != 0 && at-- == 0) return form;
  }
  return nullptr;
}

}  // namespace arenite

// Defines the reference forms of a member of a family: make<Member, types>(op, number) for each
// group of the types that schema/ops.def gives the operator.
#define ARENITE_REFERENCE_FORMS(Type, Member, make)                                            \
  constexpr Form k##Type##Form0 = make<Member, k##Type##Types & kFloatForm>(Op::k##Type, 0);   \
  constexpr Form k##Type##Form1 = make<Member, k##Type##Types & kIntegerForm>(Op::k##Type, 1); \
  constexpr Form k##Type##Form2 = make<Member, k##Type##Types & kOtherForm>(Op::k##Type, 2);   \
  constexpr const Form* const k##Type##Forms[] = {                                             \
      listed_form(0, &k##Type##Form0, &k##Type##Form1, &k##Type##Form2),                       \
      listed_form(1, &k##Type##Form0, &k##Type##Form1, &k##Type##Form2),                       \
      listed_form(2, &k##Type##Form0, &k##Type##Form1, &k##Type##Form2), nullptr};
// SPDX-License-Identifier: Apache-2.0
