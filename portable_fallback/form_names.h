// The names of forms in the rows of schema/forms.def, for hosts.
#pragma once

#include <span>

#include "core/types.h"

namespace arenite {

struct FormNames {
  Op op;
  uint8_t number;
  const char* key;     // of tables and reports: "Conv.float32"
  const char* symbol;  // of the Form in C++, in namespace arenite
  const char* file;    // that defines it, from the runtime's root
};

// One for each row, in their order: those of an operator lie together, the best first.
std::span<const FormNames> form_names();

// Null where there is no such row.
const FormNames* find_form_names(Op op, uint8_t number);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
