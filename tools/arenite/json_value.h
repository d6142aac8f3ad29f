// What the files that write JSON share; included by them alone, as the JSON library compiles
// slowly.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/io/difference.h"
#include "tools/run/tensor_args.h"

namespace arenite::tools {

using Json = nlohmann::ordered_json;

// Names come from files: bytes that are no UTF-8 are replaced, not thrown at.
std::string dump(const Json& json);

// Adds what two tensors differ in. Infinities and NaN become null: JSON has none.
void add_difference(const Difference& difference, Json& to);

// The "outputs" of commands that run programs.
Json outputs_json(const std::vector<OutputLine>& outputs);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
