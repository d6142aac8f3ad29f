// Makes the status of success and one that says what went wrong.
#include "core/status.h"

namespace arenite {

Status ok_status() { return {}; }

Status error(Code code) { return error(code, kNoIndex); }

Status error(Code code, uint32_t value) { return {code, kNoIndex, value}; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
