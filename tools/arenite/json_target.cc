// Writes the JSON object of `arenite target run`.
#include <algorithm>
#include <cmath>

#include "tools/arenite/json.h"
#include "tools/arenite/json_value.h"

namespace arenite::tools {

std::string to_json(const TargetReport& report) {
  const TargetTaskResult& task = report.result.tasks.at(0);
  Json json;
  json["board"] = report.board;
  json["outputs"] = outputs_json(report.outputs);
  json["runs"] = task.runs;
  json["instructions"] = report.result.instructions;
  json["instructions_per_run"] = task.runs == 0 ? 0 : report.result.instructions / task.runs;
  json["instructions_by"] = report.result.counted ? "counter" : "clock";
  json["load_instructions"] = task.load_instructions;
  json["stack_bytes"] = std::max(task.load_stack_bytes, task.run_stack_bytes);
  json["load_stack_bytes"] = task.load_stack_bytes;
  json["run_stack_bytes"] = task.run_stack_bytes;
  json["arenas"] = Json::array();
  for (const RunInfo::Arena& arena : report.info.arenas) {
    json["arenas"].push_back({{"name", arena.name}, {"peak_bytes", arena.bytes}});
  }
  if (!report.result.memories.empty()) {
    json["memories"] = Json::array();
    for (const MemoryTraffic& memory : report.result.memories) {
      json["memories"].push_back({{"name", memory.name},
                                  {"read_bytes", memory.read_bytes},
                                  {"written_bytes", memory.written_bytes}});
    }
  }
  json["steps"] = report.info.counts.of_model();
  if (report.profile) {
    json["steps"] = Json::array();
    for (const StepCost& step : report.profile->steps) {
      json["steps"].push_back({{"step", step.row.index},
                               {"name", step.row.name},
                               {"op", step.row.op},
                               {"instructions", std::llround(step.cost.value_or(0))},
                               {"share", report.profile->share(step.cost.value_or(0))},
                               {"bytes", step.row.bytes}});
    }
    json["outside_instructions"] = std::llround(report.profile->outside);
  }
  json["view_steps"] = report.info.counts.views;
  json["vulkan_steps"] = report.info.counts.vulkan;
  json["cpu_steps"] = report.info.counts.cpu;
  json["text_bytes"] = report.result.text_bytes;
  json["data_bytes"] = report.result.data_bytes;
  json["bss_bytes"] = report.result.bss_bytes;
  json["elf"] = report.result.elf;
  json["command"] = report.result.command;
  json["begin_symbol"] = report.begin_symbol;
  json["end_symbol"] = report.end_symbol;
  return dump(json);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
