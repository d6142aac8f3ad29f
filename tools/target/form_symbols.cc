// Names each form of schema/forms.def in C, so that code_sizes.py learns its linker symbol, and its
// operator's contract's, from the relocations.
#include "portable_fallback/forms.h"

namespace {

struct Symbols {
  const arenite::Form* form;
  const arenite::Contract* contract;
};

}  // namespace

#define ARENITE_FORM(Type, number, name, types, needs, file)                    \
  extern "C" [[gnu::used]] constexpr Symbols arenite_form_##Type##_##number = { \
      &arenite::k##Type##Form##number, &arenite::k##Type##Contract};
#include "schema/forms.def"
// SPDX-License-Identifier: Apache-2.0
