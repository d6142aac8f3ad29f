// Writes plans as one self-contained HTML page: tables, pictures, and a row for each tensor.
#pragma once

#include <span>
#include <string>

#include "planner/memory/picture.h"

namespace arenite::memory {

// `facts` are lines about all sections, shown under the title.
std::string to_html(const std::string& title, std::span<const std::string> facts,
                    std::span<const ReportSection> sections);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
