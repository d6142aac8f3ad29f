// The figures of a plan as JSON, for the reports that hold them.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "planner/memory/report.h"

namespace arenite::memory {

// name, base, size_bytes (null: no limit), peak_bytes, free_bytes (null), lower_bound_bytes and
// peak_step of each memory.
nlohmann::ordered_json memories_json(const MemoryReport& report);

// What holds data at the worst step, largest first: name, memory, bytes.
nlohmann::ordered_json live_json(const MemoryReport& report);

// name, memory, offset, bytes, first_step and last_step of each buffer.
nlohmann::ordered_json buffers_json(const MemoryReport& report);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
