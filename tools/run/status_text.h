// The English of a status, with the names that the program carries.
#pragma once

#include <string>

#include "support/status_text.h"

namespace arenite::tools {

class ProgramFile;

// Like support's status_text, for a status from running a variant (relative to the method).
std::string status_text(Status status, const ProgramFile& file, uint32_t method, uint32_t variant);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
