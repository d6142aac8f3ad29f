// Makes a status that says what went wrong.
#include "core/status.h"

namespace arenite {

Status error(Code code, uint32_t value) { return {code, kNoIndex, value}; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
