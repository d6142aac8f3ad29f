// The figures of a plan as JSON, for the reports that hold them.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "planner/memory/report.h"

namespace arenite::memory {

// name, base, size_bytes (null: no limit), peak_bytes, free_bytes (null), short_bytes,
// lower_bound_bytes and peak_step of each memory.
nlohmann::ordered_json memories_json(const MemoryReport& report);

// The buffers that hold data at the worst step, largest first: name, memory, bytes, and the bytes
// shared with buffers before it.
nlohmann::ordered_json live_json(const MemoryReport& report);

// name, memory, offset, bytes, first_step and last_step of each buffer; where it has gaps, `uses`:
// first_step, last_step, begin and end (half open, from its start) of the bytes that hold data.
nlohmann::ordered_json buffers_json(const MemoryReport& report);

// owner, guest, memory, offset, bytes and why ("over_input" or "part") of bytes in common.
nlohmann::ordered_json common_json(const MemoryReport& report);

}  // namespace arenite::memory

// SPDX-License-Identifier: Apache-2.0
