// Turns a status of the runtime into English, with the meaning of its numbers.
#pragma once

#include <string>

#include "core/status.h"
#include "core/types.h"

namespace arenite {

// The noun for the thing that Status.value counts: "section"; null when it is a value of the
// program.
const char* value_noun(Code code);

// "conv", as in schema/ops.def; null for a number that it has not.
const char* operator_name(Op op);

// Code, step and value by number.
std::string status_text(Status status);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
