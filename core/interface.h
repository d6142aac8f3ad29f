// What generated code relies on of a method: the name, inputs and outputs that a header states.
#pragma once

#include <cstdint>

#include "core/program.h"

namespace arenite {

// Of the count of methods, and of a method's name, and its inputs and outputs: their numbers, and
// each one's element type, dims, and whether the caller lends its memory. Programs with the same
// digest take each other's place: a network that was trained anew, say. One of methods(), and one
// of its variants.
uint32_t interface_digest(const Program& program, const format::MethodRecord& method,
                          const format::VariantRecord& variant);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
