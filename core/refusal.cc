// Notes why a check fails.
#include "core/refusal.h"

namespace arenite {

void Refusal::note(Code code, uint32_t value) {
  status_.code = code;
  status_.value = value;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
