// Finds the rows of an operator: those of its file, or of its family's.
#include "kernels/dispatch/rules.h"

#include "kernels/dispatch/row_files.h"

namespace arenite {

std::span<const DispatchRow> rows_of(Op op) {
  switch (op) {
#define ARENITE_DISPATCHED(Type, name) \
  case Op::k##Type:                    \
    return name##_rows(op);
#include "kernels/dispatch/files.def"
    default:
      return {};
  }
}

const DispatchRow* find_row(Op op, uint8_t form) {
  for (const DispatchRow& row : rows_of(op)) {
    if (row.form == form) return &row;
  }
  return nullptr;
}

const DeviceNeed* missing_need(Shader shader, const Capabilities& device) {
  for (const DeviceNeed& need : needs_of(shader)) {
    if (!device.meets(static_cast<uint32_t>(need.capability), need.minimum)) return &need;
  }
  return nullptr;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
