// Writes the JSON objects of all commands.
#include "tools/arenite/json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "planner/memory/report_json.h"

namespace arenite::tools {
namespace {

// Names come from files: bytes that are no UTF-8 are replaced, not thrown at.
std::string dump(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

nlohmann::ordered_json to_json(const std::vector<OutputLine>& outputs) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const OutputLine& output : outputs) {
    nlohmann::ordered_json line{{"name", output.name},
                                {"dtype", std::string(dtype_name(output.dtype))},
                                {"shape", output.dims},
                                {"file", nullptr}};
    if (!output.file.empty()) line["file"] = output.file;
    json.push_back(std::move(line));
  }
  return json;
}

nlohmann::ordered_json to_json(const std::optional<ElementPair>& pair) {
  if (!pair) return nullptr;
  return {{"index", pair->index}, {"expected", pair->expected}, {"found", pair->found}};
}

// Infinities and NaN are null: JSON has none.
void add_difference(const Difference& difference, nlohmann::ordered_json& to) {
  to["elements"] = difference.elements;
  to["beyond"] = difference.beyond;
  to["unmatched"] = difference.unmatched;
  to["allowed"] = difference.allowed;
  to["max_abs"] = difference.max_abs;
  to["max_rel"] = difference.max_rel;
  to["first"] = to_json(difference.first);
  to["worst"] = to_json(difference.worst);
}

nlohmann::ordered_json to_json(const std::vector<ExpectLine>& lines) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const ExpectLine& line : lines) {
    nlohmann::ordered_json one{{"output", line.output},
                               {"file", line.file},
                               {"agrees", line.difference.agrees()},
                               {"why", describe(line.difference)}};
    add_difference(line.difference, one);
    json.push_back(std::move(one));
  }
  return json;
}

nlohmann::ordered_json to_json(const TopReport& report) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const TopClasses& row : report.rows) {
    nlohmann::ordered_json classes = nlohmann::ordered_json::array();
    for (const Class& one : row.classes) {
      classes.push_back({{"class", one.index}, {"label", one.label}, {"score", one.score}});
    }
    json.push_back({{"output", report.output},
                    {"run", row.run},
                    {"row", row.row},
                    {"classes", std::move(classes)}});
  }
  return json;
}

}  // namespace

std::string to_json(const RunReport& report) {
  const RunInfo& info = report.info;
  nlohmann::ordered_json json;
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
  json["outputs"] = to_json(report.outputs);
  json["median_ms"] = report.median_ms;
  json["runs"] = report.runs;
  json["arenas"] = nlohmann::ordered_json::array();
  for (const RunInfo::Arena& arena : info.arenas) {
    json["arenas"].push_back({{"name", arena.name}, {"bytes", arena.bytes}});
  }
  if (report.pipeline_ms >= 0) {
    json["pipeline_ms"] = report.pipeline_ms;
    json["pipeline_cache"] = report.pipeline_cache_warm ? "warm" : "cold";
    if (report.cold_pipeline_ms >= 0) json["pipeline_ms_cold"] = report.cold_pipeline_ms;
  }
  json["validation_messages"] = report.validation_messages;
  if (!report.expected.empty()) json["expected"] = to_json(report.expected);
  if (report.top) json["top"] = to_json(*report.top);
  return dump(json);
}

std::string to_json(const TargetReport& report) {
  const TargetTaskResult& task = report.result.tasks.at(0);
  nlohmann::ordered_json json;
  json["board"] = report.board;
  json["outputs"] = to_json(report.outputs);
  json["runs"] = task.runs;
  json["instructions"] = report.result.instructions;
  json["instructions_per_run"] = task.runs == 0 ? 0 : report.result.instructions / task.runs;
  json["instructions_by"] = report.result.counted ? "counter" : "clock";
  json["load_instructions"] = task.load_instructions;
  json["stack_bytes"] = std::max(task.load_stack_bytes, task.run_stack_bytes);
  json["load_stack_bytes"] = task.load_stack_bytes;
  json["run_stack_bytes"] = task.run_stack_bytes;
  json["arenas"] = nlohmann::ordered_json::array();
  for (const RunInfo::Arena& arena : report.info.arenas) {
    json["arenas"].push_back({{"name", arena.name}, {"peak_bytes", arena.bytes}});
  }
  if (!report.result.memories.empty()) {
    json["memories"] = nlohmann::ordered_json::array();
    for (const MemoryTraffic& memory : report.result.memories) {
      json["memories"].push_back({{"name", memory.name},
                                  {"read_bytes", memory.read_bytes},
                                  {"written_bytes", memory.written_bytes}});
    }
  }
  json["steps"] = report.info.steps;
  json["view_steps"] = report.info.view_steps;
  json["vulkan_steps"] = report.info.vulkan_steps;
  json["cpu_steps"] = report.info.cpu_steps;
  json["text_bytes"] = report.result.text_bytes;
  json["data_bytes"] = report.result.data_bytes;
  json["bss_bytes"] = report.result.bss_bytes;
  json["elf"] = report.result.elf;
  json["command"] = report.result.command;
  json["begin_symbol"] = report.begin_symbol;
  json["end_symbol"] = report.end_symbol;
  return dump(json);
}

std::string to_json(const std::vector<ConformCase>& cases) {
  nlohmann::ordered_json json;
  for (const char* result : {"passed", "failed", "skipped"}) {
    uint32_t count = 0;
    for (const ConformCase& one : cases) count += one.result == result ? 1u : 0u;
    json[result] = count;
  }
  json["cases"] = nlohmann::ordered_json::array();
  for (const ConformCase& one : cases) {
    json["cases"].push_back({{"name", one.name},
                             {"result", one.result},
                             {"why", one.why},
                             {"bound", one.bound},
                             {"device", one.device},
                             {"vulkan_steps", one.vulkan_steps},
                             {"cpu_steps", one.cpu_steps}});
  }
  return dump(json);
}

std::string to_json(const DoctorReport& report) {
  nlohmann::ordered_json json;
  json["vulkan"] = nlohmann::ordered_json::array();
  for (const VulkanDeviceLine& device : report.vulkan) {
    nlohmann::ordered_json limits = nlohmann::ordered_json::object();
    for (const auto& [name, number] : device.limits) limits[name] = number;
    nlohmann::ordered_json line{
        {"name", device.name}, {"driver", device.driver}, {"limits", limits}};
    line["problem"] = nullptr;
    if (!device.problem.empty()) line["problem"] = device.problem;
    json["vulkan"].push_back(std::move(line));
  }
  json["vulkan_problem"] = nullptr;
  if (!report.vulkan_problem.empty()) json["vulkan_problem"] = report.vulkan_problem;
  json["boards"] = nlohmann::ordered_json::array();
  for (const DoctorReport::Board& board : report.boards) {
    json["boards"].push_back(
        {{"name", board.name}, {"ready", board.ready}, {"missing", board.missing}});
  }
  return dump(json);
}

std::string to_json(const memory::MemplanResult& result, bool whole) {
  nlohmann::ordered_json json;
  json["algorithm"] = result.algorithm;
  if (result.does_not_fit) {
    json["error"] = memory::to_text(result);
    json["lower_bound"] = result.lower_bound;
    return dump(json);
  }
  json["height"] = result.height;
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

std::string error_json(const std::string& message) {
  return dump(nlohmann::ordered_json{{"error", message}});
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
