// Writes the JSON object of `arenite run`.
#include "tools/arenite/json.h"
#include "tools/arenite/json_simulation.h"
#include "tools/arenite/json_value.h"

namespace arenite::tools {
namespace {

Json to_json(const std::vector<ExpectLine>& lines) {
  Json json = Json::array();
  for (const ExpectLine& line : lines) {
    Json one{{"output", line.output},
             {"file", line.file},
             {"agrees", line.difference.agrees()},
             {"why", describe(line.difference)}};
    add_difference(line.difference, one);
    json.push_back(std::move(one));
  }
  return json;
}

}  // namespace

std::string to_json(const RunReport& report) {
  const RunInfo& info = report.info;
  Json json;
  json["device"] = info.on_vulkan ? "vulkan" : "cpu";
  json["device_name"] = info.device_name;
  json["board"] = info.board;
  json["threads"] = info.threads;
  json["steps"] = info.counts.of_model();
  json["view_steps"] = info.counts.views;
  json["vulkan_steps"] = info.counts.vulkan;
  json["cpu_steps"] = info.counts.cpu;
  json["transfers"] = info.counts.transfers;
  json["dispatches"] = info.dispatches;
  json["dispatches_run"] = info.dispatches_run;
  json["submissions"] = info.submissions;
  json["fell_back"] = nullptr;
  if (info.fell_back) json["fell_back"] = *info.fell_back;
  json["outputs"] = outputs_json(report.outputs);
  add_times(report.times, report.memory, json);
  json["runs"] = report.runs;
  json["arenas"] = Json::array();
  for (const RunInfo::Arena& arena : info.arenas) {
    json["arenas"].push_back({{"name", arena.name}, {"bytes", arena.bytes}});
  }
  if (report.pipeline_ms >= 0) {
    json["pipeline_ms"] = report.pipeline_ms;
    json["pipeline_cache"] = report.pipeline_cache;
    if (report.cold_pipeline_ms >= 0) json["pipeline_ms_cold"] = report.cold_pipeline_ms;
  }
  json["validation_messages"] = report.validation_messages;
  if (!report.expected.empty()) json["expected"] = to_json(report.expected);
  if (report.top) json["top"] = top_json(*report.top);
  if (report.profile) json["profile"] = profile_json(*report.profile);
  if (report.simulation) json["simulation"] = simulation_json(*report.simulation);
  return dump(json);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
