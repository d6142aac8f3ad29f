// JSON text that people read: what is short stays on one line.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace arenite::tools {

// An object or array that fits into a line is one line. Of longer ones each member has lines of its
// own; words and numbers fill lines. Ends with a newline.
std::string compact_json(const nlohmann::ordered_json& json);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
