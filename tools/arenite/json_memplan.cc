// Writes the JSON object of `arenite memplan`.
#include "planner/memplan/memplan.h"
#include "planner/report/json.h"
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

// A buffer of a fault as far as it is known: by its id, and where it was placed.
Json party_json(const memory::MemplanResult& result, const std::optional<uint32_t>& buffer,
                const std::string& id, std::size_t row) {
  Json json{{"id", id}, {"row", row == 0 ? Json(nullptr) : Json(row)}};
  if (!buffer || !result.verdict->drawable) return json;
  const memory::PlacedBuffer& placed = result.report.buffers[*buffer];
  json["id"] = placed.name;
  json["memory"] = result.report.memories[placed.memory].name;
  json["offset"] = placed.offset;
  json["bytes"] = placed.size_bytes;
  json["first_step"] = placed.lifetime.first;
  json["last_step"] = placed.lifetime.last;
  return json;
}

Json fault_json(const memory::MemplanResult& result, const memory::Fault& fault) {
  Json buffers = Json::array({party_json(result, fault.buffer, fault.id, fault.row)});
  if (fault.other) buffers.push_back(party_json(result, fault.other, "", fault.other_row));
  return {{"kind", fault.kind},
          {"message", message(*result.verdict, fault)},
          {"step", fault.step ? Json(*fault.step) : Json(nullptr)},
          {"buffers", std::move(buffers)}};
}

// `why` is of the first fault.
void add_verdict(const memory::MemplanResult& result, Json& json) {
  const memory::Verdict& verdict = *result.verdict;
  json["solution"] = verdict.solution_name;
  json["valid"] = verdict.valid;
  json["why"] = nullptr;
  if (!verdict.valid) {
    json["why"] = message(verdict, verdict.faults.front());
    json["error"] = "invalid: " + message(verdict, verdict.faults.front());
  }
  json["fault_count"] = verdict.fault_count;
  json["faults"] = Json::array();
  for (const memory::Fault& fault : verdict.faults) {
    json["faults"].push_back(fault_json(result, fault));
  }
  json["notes"] = verdict.notes;
}

}  // namespace

std::string to_json(const memory::MemplanResult& result, bool whole) {
  Json json;
  const bool checked = result.verdict.has_value();
  const bool placed = !checked || result.verdict->drawable;
  json["algorithm"] = checked ? Json(nullptr) : Json(result.algorithm);
  if (checked) add_verdict(result, json);
  json["unknown_columns"] = result.unknown_columns;
  json["stopped"] = nullptr;
  if (result.stop == memory::Stop::kTimeLimit) json["stopped"] = "time limit";
  if (result.stop == memory::Stop::kInterrupt) json["stopped"] = "interrupt";
  if (result.does_not_fit) {
    json["error"] = "does not fit: " + memory::message(*result.does_not_fit);
    json["does_not_fit"] = Json::array({misfit_json(*result.does_not_fit)});
  } else if (!checked || result.verdict->valid) {
    json["height"] = result.height;
  }
  json["lower_bound"] = result.lower_bound;
  json["optimal"] = result.optimal;
  json["seconds"] = result.seconds;
  if (placed && (result.has_memories || whole)) {
    json["memories"] = memory::memories_json(result.report);
  }
  if (placed && whole) {
    json["total_peak_bytes"] = result.report.total_peak_bytes;
    json["total_peak_step"] = result.report.total_peak_step;
    json["live_at_peak"] = memory::live_json(result.report);
    json["buffers"] = memory::buffers_json(result.report);
  }
  if (placed && result.has_memories) {
    json["slow_traffic_bytes"] = result.report.slow_traffic_bytes;
    json["slow_traffic_bound_bytes"] = result.report.slow_traffic_bound_bytes;
    json["total_traffic_bytes"] = result.report.total_traffic_bytes;
  }
  return dump(json);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
