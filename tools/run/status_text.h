// Turns the runtime's status codes into English.
#pragma once

#include <string>

#include "core/status.h"

namespace arenite::tools {

class ProgramFile;

// Code, step and value by number.
std::string status_text(Status status);

// The same with the model's names, for a status that came from running a variant (relative to the
// method).
std::string status_text(Status status, const ProgramFile& file, uint32_t method, uint32_t variant);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
