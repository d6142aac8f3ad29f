// Writes the JSON object of `arenite run`.
#include "tools/arenite/json.h"
#include "tools/arenite/json_value.h"

namespace arenite::tools {

std::string to_json(const RunReport& report) {
  const RunInfo& info = report.info;
  Json json;
  json["device"] = info.on_vulkan ? "vulkan" : "cpu";
  json["device_name"] = info.device_name;
  json["board"] = info.board;
  json["steps"] = info.steps;
  json["view_steps"] = info.view_steps;
  json["vulkan_steps"] = info.vulkan_steps;
  json["cpu_steps"] = info.cpu_steps;
  json["transfers"] = info.transfers;
  json["dispatches"] = info.dispatches;
  json["fell_back"] = nullptr;
  if (info.fell_back) json["fell_back"] = *info.fell_back;
  json["outputs"] = outputs_json(report.outputs);
  json["median_ms"] = report.median_ms;
  json["runs"] = report.runs;
  json["arenas"] = Json::array();
  for (const RunInfo::Arena& arena : info.arenas) {
    json["arenas"].push_back({{"name", arena.name}, {"bytes", arena.bytes}});
  }
  if (report.pipeline_ms >= 0) {
    json["pipeline_ms"] = report.pipeline_ms;
    json["pipeline_cache"] = report.pipeline_cache_warm ? "warm" : "cold";
    if (report.cold_pipeline_ms >= 0) json["pipeline_ms_cold"] = report.cold_pipeline_ms;
  }
  json["validation_messages"] = report.validation_messages;
  return dump(json);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
