// Generated code relies on a method's name, inputs and outputs: they have a digest.
#pragma once

#include <cstdint>

#include "core/program.h"

namespace arenite {

// Returns the digest of the count of methods, of a method's name, and of its inputs and outputs:
// their numbers, and each one's element type, dims, and whether the caller lends its memory.
// Programs with the same digest take each other's place: a network that was trained anew, say.
// `method` is one of methods(), `variant` one of its variants.
uint32_t interface_digest(const Program& program, const format::MethodRecord& method,
                          const format::VariantRecord& variant);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
