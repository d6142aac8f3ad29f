// The figures of a plan as JSON, for the reports that hold them.
#include "planner/memory/report_json.h"

#include <nlohmann/json.hpp>

namespace arenite::memory {

using Json = nlohmann::ordered_json;

Json memories_json(const MemoryReport& report) {
  Json memories = Json::array();
  for (const MemoryUse& use : report.memories) {
    Json entry = {{"name", use.name}, {"base", use.base}};
    entry["size_bytes"] = use.limited() ? Json(use.size_bytes) : Json(nullptr);
    entry["peak_bytes"] = use.peak_bytes;
    entry["free_bytes"] = use.limited() ? Json(use.free_bytes()) : Json(nullptr);
    entry["short_bytes"] = use.short_bytes();
    entry["lower_bound_bytes"] = use.lower_bound_bytes;
    entry["peak_step"] = use.peak_step;
    memories.push_back(std::move(entry));
  }
  return memories;
}

Json live_json(const MemoryReport& report) {
  Json live = Json::array();
  for (const LiveAtPeak& one : report.live) {
    Json with = Json::array();
    for (const uint32_t other : one.common_with) with.push_back(report.buffers[other].name);
    live.push_back({{"name", one.name},
                    {"memory", report.memories[one.memory].name},
                    {"bytes", one.size_bytes},
                    {"common_bytes", one.common_bytes},
                    {"common_with", std::move(with)}});
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
    if (!buffer.has_gaps()) continue;
    Json uses = Json::array();
    for (const Use& use : buffer.uses) {
      uses.push_back({{"first_step", use.steps.first},
                      {"last_step", use.steps.last},
                      {"begin", use.bytes.begin},
                      {"end", use.bytes.end}});
    }
    buffers.back()["uses"] = std::move(uses);
  }
  return buffers;
}

Json common_json(const MemoryReport& report) {
  Json list = Json::array();
  for (const CommonBytes& common : report.common) {
    list.push_back({{"owner", report.buffers[common.owner].name},
                    {"guest", report.buffers[common.guest].name},
                    {"memory", report.memories[report.buffers[common.owner].memory].name},
                    {"offset", common.offset},
                    {"bytes", common.bytes},
                    {"why", common.why == CommonWhy::kPart ? "part" : "over_input"}});
  }
  return list;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
