// Functions that the files which write JSON share. Only those include it: the JSON library compiles
// slowly.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/arenite/labels.h"
#include "tools/io/difference.h"
#include "tools/run/cost_table.h"
#include "tools/run/measure.h"
#include "tools/run/tensor_args.h"

namespace arenite::tools {

using Json = nlohmann::ordered_json;

// Names come from files: bytes that are no UTF-8 are replaced, not thrown at.
std::string dump(const Json& json);

// Adds what two tensors differ in. Infinities and NaN become null: JSON has none.
void add_difference(const Difference& difference, Json& to);

// Adds the times of running: load_ms, first_ms, min_ms, median_ms, p95_ms, timed_runs; rss_bytes,
// peak_rss_bytes.
void add_times(const RunTimes& times, const ResidentMemory& memory, Json& to);

// Lists the time of each step, dearest first, and the sums. Times that are not known are null.
Json steps_json(const CostTable& times);
Json profile_json(const CostTable& times);

// The "outputs" of commands that run programs.
Json outputs_json(const std::vector<OutputLine>& outputs);

// The "top" of commands that take --labels.
Json top_json(const TopReport& report);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
