// Finds operators in a table, and forms of one.
#include "core/form.h"

namespace arenite {

const OpEntry* find_op(OpTable table, Op op) {
  // Halves [first, first + count), which holds the operator if the table does.
  const OpEntry* first = table.data();
  for (size_t count = table.size(); count > 1;) {
    const size_t half = count / 2;
    if (first[half].op <= op) {
      first += half;
      count -= half;
    } else {
      count = half;
    }
  }
  return table.empty() || first->op != op ? nullptr : first;
}

const Form* find_form(const OpEntry& entry, uint8_t number) {
  const Form* const* form = entry.forms;
  while (*form != nullptr && (*form)->number != number) ++form;
  return *form;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
