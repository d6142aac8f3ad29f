// Writes the JSON object of `arenite target run`.
#include <algorithm>
#include <cmath>

#include "tools/arenite/json.h"
#include "tools/arenite/json_value.h"

namespace arenite::tools {

namespace {

Json parts_json(const std::vector<ImageParts::Part>& parts) {
  Json json = Json::object();
  for (const ImageParts::Part& part : parts) json[part.name] = part.bytes;
  return json;
}

// What an embedded image takes of flash and RAM; `stack` is the painted stack.
void add_parts(const ImageParts& parts, uint64_t stack, Json& json) {
  json["flash"] = parts_json(parts.flash);
  json["code_bytes"] = parts.code_bytes();
  json["ram"] = parts_json(parts.ram);
  json["ram"]["stack"] = stack;
  json["ram_bytes"] = parts.ram_bytes() + stack;
  json["ram_bound_bytes"] = parts.ram_bytes() + parts.stack_bound_bytes;
  json["board_ram_bytes"] = parts.board_ram_bytes;
  json["stack_bound_bytes"] = parts.stack_bound_bytes;
  json["stack_chain"] = Json::array();
  for (const ImageParts::Call& call : parts.stack_chain) {
    json["stack_chain"].push_back({{"function", call.function}, {"bytes", call.bytes}});
  }
}

Json steps_of(const CostTable& profile) {
  Json steps = Json::array();
  for (const StepCost& step : profile.steps) {
    steps.push_back({{"step", step.row.index},
                     {"name", step.row.name},
                     {"op", step.row.op},
                     {"instructions", std::llround(step.cost.value_or(0))},
                     {"share", profile.share(step.cost.value_or(0))},
                     {"bytes", step.row.bytes}});
  }
  return steps;
}

}  // namespace

std::vector<uint64_t> TargetBenchReport::sorted_clock() const {
  std::vector<uint64_t> clock = result.tasks.at(0).run_clock;
  std::ranges::sort(clock);
  return clock;
}

std::string to_json(const TargetBenchReport& report) {
  const TargetTaskResult& task = report.result.tasks.at(0);
  const std::vector<uint64_t> clock = report.sorted_clock();
  Json json;
  json["board"] = report.board;
  json["runs"] = task.runs;
  json["made_up_inputs"] = report.made_up_inputs;
  // In the emulator a nanosecond of the board's clock is an instruction.
  const std::string unit = report.result.counts_instructions ? "instructions" : "ns";
  json["load_" + unit] = task.load_instructions;
  json["min_" + unit] = clock.front();
  json["median_" + unit] = clock[clock.size() / 2];
  json["max_" + unit] = clock.back();
  if (report.result.counted) json["counted_instructions"] = report.result.instructions / task.runs;
  if (report.result.cycles != 0) {
    json["cycles_by"] = "estimate";
    json["cycles_per_run"] = report.result.cycles / task.runs;
  }
  json["load_stack_bytes"] = task.load_stack_bytes;
  json["run_stack_bytes"] = task.run_stack_bytes;
  if (report.profile) {
    json["steps"] = steps_of(*report.profile);
    json["outside_instructions"] = std::llround(report.profile->outside);
  }
  json["command"] = report.result.command;
  return dump(json);
}

std::string to_json(const TargetReport& report) {
  const TargetTaskResult& task = report.result.tasks.at(0);
  Json json;
  json["board"] = report.board;
  json["image"] = report.parts ? "embedded" : "harness";
  json["outputs"] = outputs_json(report.outputs);
  if (report.top) json["top"] = top_json(*report.top);
  json["runs"] = task.runs;
  const uint64_t per_run = task.runs == 0 ? 0 : report.result.instructions / task.runs;
  if (report.result.counts_instructions) {
    json["instructions"] = report.result.instructions;
    json["instructions_per_run"] = per_run;
    json["instructions_by"] = report.result.counted ? "counter" : "clock";
    json["load_instructions"] = task.load_instructions;
  } else {
    json["ns"] = report.result.instructions;
    json["ns_per_run"] = per_run;
    json["load_ns"] = task.load_instructions;
  }
  json["line"] = {{"requests", report.result.link.requests},
                  {"sent_again", report.result.link.sent_again},
                  {"damaged", report.result.link.damaged}};
  if (report.result.cycles != 0) {
    json["cycles_by"] = "estimate";
    json["cycles_per_run"] = report.result.cycles / task.runs;
    json["load_cycles"] = task.load_cycles;
  }
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
    json["steps"] = steps_of(*report.profile);
    json["outside_instructions"] = std::llround(report.profile->outside);
  }
  if (report.has_pauses) {
    json["pauses"] = report.result.pauses;
    json["greatest_gap_instructions"] = report.result.greatest_gap;
  }
  json["view_steps"] = report.info.counts.views;
  json["vulkan_steps"] = report.info.counts.vulkan;
  json["cpu_steps"] = report.info.counts.cpu;
  json["text_bytes"] = report.result.text_bytes;
  json["data_bytes"] = report.result.data_bytes;
  json["bss_bytes"] = report.result.bss_bytes;
  if (report.parts) {
    add_parts(*report.parts, std::max(task.load_stack_bytes, task.run_stack_bytes), json);
  }
  json["elf"] = report.result.elf;
  json["command"] = report.result.command;
  json["begin_symbol"] = report.begin_symbol;
  json["end_symbol"] = report.end_symbol;
  return dump(json);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
