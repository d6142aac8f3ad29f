// Says each kind of fault in a sentence.
#include "tools/simulate/fault.h"

#include "support/printable.h"

namespace arenite::tools {
namespace {

std::string operand_text(const Fault& fault) {
  if (fault.operand.empty()) return "its operands";
  return fault.operand + " " + quote(fault.operand_name);
}

std::string where_text(const Fault& fault) {
  return "byte " + std::to_string(fault.byte) + " of " + printable(fault.memory);
}

// "; its bytes are 0 to 1023, and those of 'x' are there"
std::string neighbors_text(const Fault& fault) {
  std::string text;
  if (!fault.operand.empty() && fault.operand_end != fault.operand_begin) {
    text += "; its bytes are " + std::to_string(fault.operand_begin) + " to " +
            std::to_string(fault.operand_end - 1);
  }
  if (fault.byte < 0 || static_cast<uint64_t>(fault.byte) >= fault.memory_bytes) {
    return text + "; the memory has " + std::to_string(fault.memory_bytes) + " bytes";
  }
  return text + (fault.owner.empty() ? "; nothing lives there"
                                     : "; " + quote(fault.owner) + " lives there");
}

std::string deed_text(const Fault& fault) {
  const std::string verb = fault.writes ? "writes " : "reads ";
  switch (fault.kind) {
    case FaultKind::kOutside:
      return verb + where_text(fault) + ", outside of " + operand_text(fault) +
             neighbors_text(fault);
    case FaultKind::kReadOnly:
      return verb + where_text(fault) + ", which is read only: " + operand_text(fault);
    case FaultKind::kNothing:
      return verb + where_text(fault) + " by " + operand_text(fault) +
             ", where no step has written, or what was written is no longer alive";
    case FaultKind::kOverwritten:
      return verb + where_text(fault) + " by " + operand_text(fault) +
             ", where it has already written its output";
    case FaultKind::kUnwritten:
      return verb + where_text(fault) + " by " + operand_text(fault) + " before it writes there";
    case FaultKind::kStray:
      return "changes " + where_text(fault) + ", outside of what it writes" + neighbors_text(fault);
    case FaultKind::kDepends:
      return "gives other results where bytes beside its operands are others: it reads some";
  }
  return "";
}

}  // namespace

const char* name_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::kOutside:
      return "outside";
    case FaultKind::kReadOnly:
      return "read_only";
    case FaultKind::kNothing:
      return "nothing_alive";
    case FaultKind::kOverwritten:
      return "overwritten";
    case FaultKind::kUnwritten:
      return "unwritten";
    case FaultKind::kStray:
      return "stray_write";
    case FaultKind::kDepends:
      return "depends";
  }
  return "";
}

std::string describe(const Fault& fault) {
  return fault.step_name + " by " + fault.form + " " + deed_text(fault);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
