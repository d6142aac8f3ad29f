// Writes the JSON object of `arenite memplan`.
#include "planner/memory/report_json.h"
#include "tools/arenite/json.h"
#include "tools/arenite/json_value.h"

namespace arenite::tools {
namespace {

Json misfit_json(const memory::DoesNotFit& why) {
  Json tensors = Json::array();
  for (const memory::LiveBuffer& live : why.live) {
    tensors.push_back({{"name", live.name}, {"shape", nullptr}, {"bytes", live.size_bytes}});
  }
  return {{"memory", why.memory_name},
          {"memory_bytes", why.memory_bytes},
          {"needed_bytes", why.needed_bytes},
          {"short_by", why.short_bytes},
          {"step", why.step},
          {"tensors", std::move(tensors)},
          {"impossible", why.proven}};
}

}  // namespace

std::string to_json(const memory::MemplanResult& result, bool whole) {
  Json json;
  json["algorithm"] = result.algorithm;
  json["unknown_columns"] = result.unknown_columns;
  if (result.does_not_fit) {
    json["error"] = "does not fit: " + memory::message(*result.does_not_fit);
    json["does_not_fit"] = Json::array({misfit_json(*result.does_not_fit)});
  } else {
    json["height"] = result.height;
  }
  json["lower_bound"] = result.lower_bound;
  json["optimal"] = result.optimal;
  json["seconds"] = result.seconds;
  if (result.has_memories || whole) json["memories"] = memory::memories_json(result.report);
  if (whole) {
    json["total_peak_bytes"] = result.report.total_peak_bytes;
    json["total_peak_step"] = result.report.total_peak_step;
    json["live_at_peak"] = memory::live_json(result.report);
    json["buffers"] = memory::buffers_json(result.report);
  }
  if (result.has_memories) {
    json["slow_traffic_bytes"] = result.report.slow_traffic_bytes;
    json["slow_traffic_bound_bytes"] = result.report.slow_traffic_bound_bytes;
    json["total_traffic_bytes"] = result.report.total_traffic_bytes;
  }
  return dump(json);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
