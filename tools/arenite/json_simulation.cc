// Writes what a simulated run did in its memories, and what it must not have done.
#include "tools/arenite/json_simulation.h"

#include "tools/arenite/json.h"

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

}  // namespace

Json simulation_json(const Simulation& simulation) {
  Json json;
  json["board"] = simulation.board;
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
             {"form", step.form.empty() ? Json() : Json(step.form)}};
    if (simulation.counted) one["memories"] = moves_json(step.moved);
    steps.push_back(std::move(one));
  }
  json["steps"] = std::move(steps);
  if (simulation.counted) json["memories"] = moves_json(simulation.memories);
  return json;
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
