// One function for each part of the report, joined to one object.
#include "planner/report/json.h"

#include <nlohmann/json.hpp>

#include "planner/report/ram_text.h"
#include "planner/report/report.h"
#include "planner/report/shortages.h"

namespace arenite::memory {

using Json = nlohmann::ordered_json;

Json memories_json(const MemoryReport& report) {
  Json memories = Json::array();
  for (const MemoryUse& use : report.memories) {
    Json entry = {{"name", use.name}, {"base", use.base}};
    entry["size_bytes"] = use.limited() ? Json(use.size_bytes) : Json(nullptr);
    entry["peak_bytes"] = use.peak_bytes;
    entry["free_bytes"] = use.limited() ? Json(use.free_bytes()) : Json(nullptr);
    entry["short_bytes"] = use.short_bytes();
    entry["lower_bound_bytes"] = use.lower_bound_bytes;
    entry["peak_step"] = use.peak_step;
    memories.push_back(std::move(entry));
  }
  return memories;
}

Json live_json(const MemoryReport& report) {
  Json live = Json::array();
  for (const LiveAtPeak& one : report.live) {
    Json with = Json::array();
    for (const uint32_t other : one.common_with) with.push_back(report.buffers[other].name);
    live.push_back({{"name", one.name},
                    {"memory", report.memories[one.memory].name},
                    {"bytes", one.size_bytes},
                    {"common_bytes", one.common_bytes},
                    {"common_with", std::move(with)}});
  }
  return live;
}

Json buffers_json(const MemoryReport& report) {
  Json buffers = Json::array();
  for (const PlacedBuffer& buffer : report.buffers) {
    buffers.push_back({{"name", buffer.name},
                       {"memory", report.memories[buffer.memory].name},
                       {"offset", buffer.offset},
                       {"bytes", buffer.size_bytes},
                       {"first_step", buffer.lifetime.first},
                       {"last_step", buffer.lifetime.last}});
    if (!buffer.has_gaps()) continue;
    Json uses = Json::array();
    for (const Use& use : buffer.uses) {
      uses.push_back({{"first_step", use.steps.first},
                      {"last_step", use.steps.last},
                      {"begin", use.bytes.begin},
                      {"end", use.bytes.end}});
    }
    buffers.back()["uses"] = std::move(uses);
  }
  return buffers;
}

Json common_json(const MemoryReport& report) {
  Json list = Json::array();
  for (const CommonBytes& common : report.common) {
    list.push_back({{"owner", report.buffers[common.owner].name},
                    {"guest", report.buffers[common.guest].name},
                    {"memory", report.memories[report.buffers[common.owner].memory].name},
                    {"offset", common.offset},
                    {"bytes", common.bytes},
                    {"why", common.why == CommonWhy::kPart ? "part" : "over_input"}});
  }
  return list;
}

}  // namespace arenite::memory

namespace arenite::planner {
namespace {

using Json = nlohmann::ordered_json;

Json arenas_json(const VariantReport& variant) {
  Json arenas = Json::array();
  for (const ArenaReport& arena : variant.arenas) {
    arenas.push_back({{"name", arena.name},
                      {"peak_bytes", arena.peak_bytes},
                      {"lower_bound_bytes", arena.lower_bound_bytes}});
  }
  return arenas;
}

Json lent_json(const VariantReport& variant) {
  Json arenas = Json::array();
  for (const LentReport& arena : variant.lent) {
    arenas.push_back(
        {{"name", arena.name}, {"bytes", arena.bytes}, {"alignment", arena.alignment}});
  }
  return arenas;
}

Json states_json(const VariantReport& variant) {
  Json states = Json::array();
  for (const StateReport& state : variant.states) {
    states.push_back({{"input", state.input},
                      {"output", state.output.empty() ? Json() : Json(state.output)},
                      {"bytes", state.bytes},
                      {"arena", state.arena}});
    if (!state.methods.empty()) states.back()["methods"] = state.methods;
  }
  return states;
}

Json lowering_json(const PeakReport& lowering) {
  Json passes = Json::array();
  for (const PeakEffect& effect : lowering.effects) {
    passes.push_back({{"pass", effect.pass},
                      {"enabled", effect.enabled},
                      {"fired", effect.places != 0},
                      {"places", effect.places},
                      {"live_bytes", effect.live_bytes},
                      {"saved_bytes", effect.saved_bytes}});
  }
  return {{"baseline_bytes", lowering.baseline_bytes},
          {"native_bytes", lowering.native_bytes},
          {"passes", std::move(passes)},
          {"final_bytes", lowering.final_bytes},
          {"ratio", lowering.ratio()}};
}

// Lists each tensor, with its place and what it is.
Json tensors_json(const VariantReport& variant) {
  Json tensors = memory::buffers_json(variant.memories);
  for (size_t i = 0; i < tensors.size(); ++i) {
    const TensorReport& tensor = variant.tensors[i];
    tensors[i]["dtype"] = tensor.dtype;
    tensors[i]["shape"] = tensor.shape;
    tensors[i]["layout"] = tensor.layout;
    tensors[i]["role"] = tensor.role;
    tensors[i]["written_by"] = tensor.written_by;
    tensors[i]["read_by"] = tensor.read_by;
  }
  return tensors;
}

Json number_or_null(const std::optional<double>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json steps_json(const VariantReport& variant) {
  Json steps = Json::array();
  for (const StepReport& step : variant.step_list) {
    steps.push_back({{"name", step.name},
                     {"op", step.op},
                     {"where", step.where},
                     {"serial", step.serial},
                     {"predicted_us", number_or_null(step.predicted_us)}});
  }
  return steps;
}

Json explained_json(const VariantReport& variant) {
  Json steps = Json::array();
  for (const ExplainedStep& step : variant.explained) {
    Json options = Json::array();
    for (const ExplainedOption& option : step.options) {
      options.push_back({{"name", option.name},
                         {"cost", option.cost ? Json(*option.cost) : Json(nullptr)},
                         {"taken", option.taken},
                         {"why", option.why}});
    }
    steps.push_back({{"node", step.node},
                     {"op", step.op},
                     {"cost_unit", step.is_measured ? "ps" : "preference"},
                     {"options", std::move(options)}});
  }
  return steps;
}

Json variant_json(const VariantReport& variant) {
  Json copies = Json::array();
  for (const InsertedCopy& copy : variant.copies) {
    copies.push_back(
        {{"node", copy.node}, {"argument", copy.argument}, {"from", copy.from}, {"to", copy.to}});
  }
  return {{"method", variant.method},
          {"board", variant.board},
          {"device", variant.vulkan ? "vulkan" : "cpu"},
          {"cpu_features", variant.cpu_features},
          {"optimize", variant.optimize},
          {"arenas", arenas_json(variant)},
          {"io", variant.lent.empty() ? "planned" : "caller"},
          {"caller_arenas", lent_json(variant)},
          {"states", states_json(variant)},
          {"memories", memory::memories_json(variant.memories)},
          {"total_peak_bytes", variant.memories.total_peak_bytes},
          {"total_peak_step", variant.total_peak_step},
          {"peak_sum_bytes", variant.memories.peak_sum_bytes},
          {"lower_bound_bytes", variant.memories.lower_bound_bytes},
          {"optimal", variant.memories.optimal},
          {"slow_traffic_bytes", variant.memories.slow_traffic_bytes},
          {"slow_traffic_bound_bytes", variant.memories.slow_traffic_bound_bytes},
          {"total_traffic_bytes", variant.memories.total_traffic_bytes},
          {"live_at_peak", memory::live_json(variant.memories)},
          {"live_union_bytes", variant.memories.live_union_bytes},
          {"common", memory::common_json(variant.memories)},
          {"tensors", tensors_json(variant)},
          {"step_list", steps_json(variant)},
          {"predicted_us", number_or_null(variant.predicted_us)},
          {"steps", variant.counts.of_model()},
          {"view_steps", variant.counts.views},
          {"vulkan_steps", variant.counts.vulkan},
          {"cpu_steps", variant.counts.cpu},
          {"transfers", variant.counts.transfers},
          {"dispatches", variant.dispatches},
          {"barriers", variant.barriers},
          {"stretches", variant.stretches},
          {"guarded_stretches", variant.guarded_stretches},
          {"condition_transfers", variant.condition_transfers},
          {"copies", std::move(copies)},
          {"explained", explained_json(variant)},
          {"lowering", lowering_json(variant.lowering)},
          {"near_constants",
           {{"memory", variant.near_constants.memory},
            {"copies", variant.near_constants.copies},
            {"copied_bytes", variant.near_constants.copied_bytes},
            {"near_bytes", variant.near_constants.near_bytes}}},
          {"fallback", variant.reserves_fallback ? "reserve" : "none"},
          {"fallback_bytes", variant.fallback_bytes}};
}

}  // namespace

std::string to_json(const PlanReport& report, const std::string& program) {
  const VariantReport& first = report.variants.front();
  Json json = Json::object();
  if (!report.shortages.empty()) {
    json["error"] = text_of(report.shortages);
    json["does_not_fit"] = shortages_json(report.shortages);
  }
  json["program"] = program.empty() ? Json(nullptr) : Json(program);
  json.update({{"bytes", report.bytes},
               {"arenas", arenas_json(first)},
               {"constant_bytes", report.constant_bytes},
               {"steps", first.counts.of_model()},
               {"view_steps", first.counts.views},
               {"vulkan_steps", first.counts.vulkan},
               {"seconds", report.seconds},
               {"memory_planner", report.memory_planner}});
  json["ram_bytes"] = report.ram.front().arenas_bytes;
  const auto ram_total = report.ram.front().total_bytes();
  json["ram_total_bytes"] = ram_total ? Json(*ram_total) : Json(nullptr);
  json["ram"] = Json::array();
  for (const RamReport& ram : report.ram) json["ram"].push_back(ram_json(ram));
  json["program_memories"] = program_memories_json(report.program_memories);
  json["variants"] = Json::array();
  for (const VariantReport& variant : report.variants) {
    json["variants"].push_back(variant_json(variant));
  }
  if (!report.shared.empty()) {
    json["shared_arenas"] = Json::array();
    for (const SharedArena& arena : report.shared) {
      json["shared_arenas"].push_back({{"board", arena.board},
                                       {"device", arena.vulkan ? "vulkan" : "cpu"},
                                       {"name", arena.name},
                                       {"peak_bytes", arena.peak_bytes}});
    }
  }
  if (report.quantized) {
    json["quantised_steps"] = report.quantized->integer_steps;
    json["float_steps"] = report.quantized->float_steps;
  }
  json["notes"] = report.notes;
  // Names come from models, which may hold bytes that are no UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
