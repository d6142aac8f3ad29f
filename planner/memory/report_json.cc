// The figures of a plan as JSON, for the reports that hold them.
#include "planner/memory/report_json.h"

#include <nlohmann/json.hpp>

namespace arenite::memory {

using Json = nlohmann::ordered_json;

Json memories_json(const MemoryReport& report) {
  Json memories = Json::array();
  for (const MemoryUse& use : report.memories) {
    const bool bounded = use.size_bytes != kUnbounded;
    Json entry = {{"name", use.name}, {"base", use.base}};
    entry["size_bytes"] = bounded ? Json(use.size_bytes) : Json(nullptr);
    entry["peak_bytes"] = use.peak_bytes;
    entry["free_bytes"] = bounded ? Json(use.size_bytes - use.peak_bytes) : Json(nullptr);
    entry["lower_bound_bytes"] = use.lower_bound_bytes;
    entry["peak_step"] = use.peak_step;
    memories.push_back(std::move(entry));
  }
  return memories;
}

Json live_json(const MemoryReport& report) {
  Json live = Json::array();
  for (const LiveAtPeak& one : report.live) {
    live.push_back({{"name", one.name},
                    {"memory", report.memories[one.memory].name},
                    {"bytes", one.size_bytes}});
  }
  return live;
}

Json buffers_json(const MemoryReport& report) {
  Json buffers = Json::array();
  for (const PlacedBuffer& buffer : report.buffers) {
    buffers.push_back({{"name", buffer.name},
                       {"memory", report.memories[buffer.memory].name},
                       {"offset", buffer.offset},
                       {"bytes", buffer.size_bytes},
                       {"first_step", buffer.lifetime.first},
                       {"last_step", buffer.lifetime.last}});
  }
  return buffers;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
