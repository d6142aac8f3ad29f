// Finds the signature of a program and what it covers.
#include "core/signature.h"

namespace arenite {

Status check_signature(const Program& program, const SignatureHook& hook) {
  const auto sections = program.sections();
  uint32_t last = kNoIndex;
  for (uint32_t i = 0; i < sections.size(); ++i) {
    if (sections[i].kind == static_cast<uint32_t>(format::SectionKind::kSignature)) {
      last = i;
    }
  }
  const uint32_t file_bytes = program.header().file_bytes;
  if (last == kNoIndex || sections[last].offset + sections[last].bytes != file_bytes) {
    return error(Code::kBadSignature, last);
  }
  if (program.file().size() != file_bytes) {
    return error(Code::kTruncated);
  }
  const uint32_t covered = sections[last].offset;
  return hook.check(hook.context, program.file().first(covered), program.file().subspan(covered))
             ? ok_status()
             : error(Code::kBadSignature, last);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
