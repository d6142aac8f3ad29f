// Writes what a simulated run did in its memories, and what it must not have done.
#include "tools/arenite/json_simulation.h"

#include <algorithm>

#include "tools/arenite/json.h"
#include "tools/arenite/trace.h"

namespace arenite::tools {
namespace {

Json moves_json(const std::vector<SimulatedMoves>& moved) {
  Json json = Json::array();
  for (const SimulatedMoves& memory : moved) {
    json.push_back({{"name", memory.memory},
                    {"read_bytes", memory.read_bytes},
                    {"written_bytes", memory.written_bytes}});
  }
  return json;
}

std::string dump_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Json simulation_json(const Simulation& simulation) {
  Json json;
  json["board"] = simulation.board;
  if (!simulation.device.empty()) json["device"] = simulation.device;
  json["arenas"] = Json::array();
  for (const SimulatedArena& arena : simulation.arenas) {
    Json one{{"name", arena.memory},
             {"peak_bytes", arena.planned_bytes},
             {"touched_bytes", arena.touched_bytes},
             {"memory_bytes", nullptr}};
    if (arena.memory_bytes != 0) one["memory_bytes"] = arena.memory_bytes;
    json["arenas"].push_back(std::move(one));
  }
  Json steps = Json::array();
  for (const SimulatedStep& step : simulation.steps) {
    Json one{{"step", step.row.index},
             {"name", step.row.name},
             {"op", step.row.op},
             {"form", step.form.empty() ? Json() : Json(step.form)},
             {"predicted_us", step.predicted_us ? Json(*step.predicted_us) : Json()}};
    if (simulation.counted) one["memories"] = moves_json(step.moved);
    steps.push_back(std::move(one));
  }
  json["steps"] = std::move(steps);
  json["predicted_us"] = simulation.predicted_us ? Json(*simulation.predicted_us) : Json();
  if (simulation.counted) {
    json["bytes_of"] = simulation.by_extents ? "operands" : "accesses";
    json["states"] = moves_json(simulation.states);
    json["memories"] = moves_json(simulation.memories);
  }
  return json;
}

// Steps one behind another, each as long as it is predicted to take, or a microsecond; the bytes
// that it moves in each memory are counters of that time.
std::string trace_json(const Simulation& simulation) {
  constexpr int kProcess = 1;
  Json events = Json::array();
  events.push_back({{"ph", "M"},
                    {"name", "process_name"},
                    {"pid", kProcess},
                    {"args", {{"name", "board " + simulation.board + ", simulated"}}}});
  const auto count = [&](const std::string& memory, double at_us, uint64_t read, uint64_t written) {
    events.push_back({{"ph", "C"},
                      {"name", memory + ", bytes of a step"},
                      {"pid", kProcess},
                      {"ts", at_us},
                      {"args", {{"read", read}, {"written", written}}}});
  };
  double at_us = 0;
  for (const SimulatedStep& step : simulation.steps) {
    if (step.form.empty()) continue;
    const double us = simulation.predicted_us ? step.predicted_us.value_or(1) : 1;
    events.push_back({{"ph", "X"},
                      {"name", step.row.name},
                      {"cat", step.row.op},
                      {"pid", kProcess},
                      {"tid", 1},
                      {"ts", at_us},
                      {"dur", us},
                      {"args", {{"step", step.row.index}, {"form", step.form}}}});
    for (const SimulatedMoves& memory : simulation.memories) {
      const auto moved = std::ranges::find(step.moved, memory.memory, &SimulatedMoves::memory);
      const bool none = moved == step.moved.end();
      count(memory.memory, at_us, none ? 0 : moved->read_bytes, none ? 0 : moved->written_bytes);
    }
    at_us += us;
  }
  for (const SimulatedMoves& memory : simulation.memories) count(memory.memory, at_us, 0, 0);
  std::string text;
  for (const Json& event : events) text += (text.empty() ? "" : ",\n") + dump_line(event);
  return "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n" + text + "\n]}\n";
}

std::string error_json(const SimulatedFault& error) {
  const Fault& fault = error.fault;
  Json json{{"error", error.what()}};
  Json& one = json["fault"];
  one["kind"] = name_of(fault.kind);
  one["step"] = fault.step;
  one["step_name"] = fault.step_name;
  one["form"] = fault.form;
  one["operand"] = fault.operand.empty() ? Json() : Json(fault.operand);
  one["value"] = fault.operand.empty() ? Json() : Json(fault.operand_name);
  one["memory"] = fault.memory.empty() ? Json() : Json(fault.memory);
  one["byte"] = fault.memory.empty() ? Json() : Json(fault.byte);
  one["writes"] = fault.writes;
  one["lives_there"] = fault.owner.empty() ? Json() : Json(fault.owner);
  return dump(json);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
