// Writes the events of a run as a file for Perfetto (ui.perfetto.dev) or Chrome (chrome://tracing).
#pragma once

#include <string>
#include <vector>

#include "tools/run/live_bytes.h"
#include "tools/run/profiler.h"
#include "tools/run/step_table.h"

namespace arenite::tools {

// The trace event format: one lane for the host, one for each CPU thread, one for the device where
// it tells its time; microseconds from the first event on. `steps` names them; `live` is a counter
// for each arena.
std::string trace_json(const Timeline& timeline, const std::vector<StepRow>& steps,
                       const std::vector<LiveBytes>& live, const std::string& device_name);

// The same of a simulated run: its steps, and counters of the bytes that they move.
struct Simulation;
std::string trace_json(const Simulation& simulation);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
