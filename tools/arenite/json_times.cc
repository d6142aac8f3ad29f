// Writes what running took, and each step of it.
#include "tools/arenite/json.h"
#include "tools/arenite/json_value.h"

namespace arenite::tools {

void add_times(const RunTimes& times, const ResidentMemory& memory, Json& to) {
  to["load_ms"] = times.load_ms;
  if (times.load_parts) {
    const LoadParts& of = *times.load_parts;
    to["load_parts_ms"] = {{"instance", of.instance},
                           {"device", of.device},
                           {"self_test", of.self_test},
                           {"upload", of.upload},
                           {"pipelines", of.pipelines},
                           {"commands", of.commands},
                           {"other", times.load_ms - of.total()}};
  }
  to["first_ms"] = times.first_ms;
  to["min_ms"] = times.min_ms;
  to["median_ms"] = times.median_ms;
  to["p95_ms"] = times.p95_ms;
  to["timed_runs"] = times.runs;
  to["rss_bytes"] = memory.bytes;
  to["peak_rss_bytes"] = memory.peak_bytes;
}

Json steps_json(const CostTable& times) {
  Json steps = Json::array();
  for (const StepCost& step : times.steps) {
    Json one{{"step", step.row.index},  {"name", step.row.name}, {"op", step.row.op},
             {"where", step.row.where}, {"median_us", nullptr},  {"share", nullptr},
             {"bytes", step.row.bytes}};
    if (step.cost) {
      one["median_us"] = *step.cost;
      one["share"] = times.share(*step.cost);
    }
    steps.push_back(std::move(one));
  }
  return steps;
}

std::string to_json(const BenchReport& report) {
  Json json;
  json["device"] = report.info.on_vulkan ? "vulkan" : "cpu";
  json["device_name"] = report.info.device_name;
  json["board"] = report.info.board;
  json["threads"] = report.info.threads;
  json["fell_back"] = nullptr;
  if (report.info.fell_back) json["fell_back"] = *report.info.fell_back;
  json["made_up_inputs"] = report.made_up_inputs;
  add_times(report.times, report.memory, json);
  json.update(profile_json(report.profile));
  return dump(json);
}

Json profile_json(const CostTable& times) {
  return {{"total_us", times.total()},
          {"in_steps_us", times.in_steps},
          {"outside_us", times.outside},
          {"steps", steps_json(times)}};
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
