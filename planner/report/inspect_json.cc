// Writes what a program file says as one JSON object.
#include <nlohmann/json.hpp>

#include "planner/program/inspect.h"
#include "support/hex.h"

namespace arenite::planner {
namespace {

using Json = nlohmann::ordered_json;

Json tensors_json(const std::vector<TensorInfo>& tensors) {
  Json json = Json::array();
  for (const TensorInfo& tensor : tensors) {
    Json one = {{"name", tensor.name}, {"dtype", tensor.dtype}, {"shape", tensor.dims}};
    if (tensor.quantization.has_value()) {
      one["quantisation"] = {{"scale", tensor.quantization->scale},
                             {"zero_point", tensor.quantization->zero_point}};
    }
    if (tensor.state >= 0) one["state"] = tensor.state == kNoIndex ? Json() : Json(tensor.state);
    for (const auto& [axis, count] : tensor.counted_dims) {
      one["counted_dims"].push_back({{"axis", axis}, {"count", count}});
    }
    json.push_back(std::move(one));
  }
  return json;
}

Json value_json(const ValueInfo& value) {
  return {{"name", value.name},           {"dtype", value.dtype},
          {"shape", value.dims},          {"strides", value.strides},
          {"layout", value.layout},       {"kind", value.kind},
          {"place", value.place},         {"offset", value.offset},
          {"bytes", value.bytes},         {"first_step", value.first_step},
          {"last_step", value.last_step}, {"yields", value.yields}};
}

Json step_json(const StepInfo& step) {
  Json conditions = Json::array();
  for (const StepInfo::Condition& condition : step.conditions) {
    conditions.push_back({{"value", condition.value}, {"holds", condition.holds}});
  }
  return {{"op", step.op},
          {"where", step.where},
          {"form", step.form},
          {"choice", step.choice},
          {"shader", step.shader.empty() ? Json(nullptr) : Json(step.shader)},
          {"barrier_before", step.barrier_before},
          {"begins_stretch", step.begins_stretch},
          {"serial", step.serial},
          {"conditions", std::move(conditions)},
          {"dispatches", step.dispatches},
          {"inputs", step.inputs},
          {"outputs", step.outputs},
          {"scratch", step.scratch},
          {"attributes", step.attributes},
          {"nodes", step.nodes}};
}

Json variant_json(const VariantInfo& variant) {
  Json requirements = Json::object();
  for (const RequirementInfo& requirement : variant.requirements) {
    requirements[requirement.capability] = requirement.minimum;
  }
  Json arenas = Json::array(), values = Json::array(), steps = Json::array();
  Json descriptor_sets = Json::array();
  for (const DescriptorSetInfo& sets : variant.descriptor_sets) {
    descriptor_sets.push_back({{"layout", sets.layout}, {"count", sets.count}});
  }
  for (const ArenaInfo& arena : variant.arenas) {
    arenas.push_back({{"name", arena.name},
                      {"kind", arena.kind},
                      {"bytes", arena.bytes},
                      {"alignment", arena.alignment}});
  }
  for (const ValueInfo& value : variant.values) values.push_back(value_json(value));
  for (const StepInfo& step : variant.steps) steps.push_back(step_json(step));
  Json json = {{"board", variant.board},
               {"device", variant.device},
               {"requirements", std::move(requirements)},
               {"fallback", variant.reserves_fallback ? "reserve" : "none"},
               {"forms", variant.exact_forms ? "exact" : "any"},
               {"threads_max", variant.threads_max},
               {"arenas", std::move(arenas)},
               {"steps", variant.counts.of_model()},
               {"view_steps", variant.counts.views},
               {"vulkan_steps", variant.counts.vulkan},
               {"cpu_steps", variant.counts.cpu},
               {"transfers", variant.counts.transfers},
               {"dispatches", variant.dispatches},
               {"pipelines", variant.pipelines},
               {"parameter_bytes", variant.parameter_bytes},
               {"descriptor_sets", std::move(descriptor_sets)},
               {"inputs", variant.inputs},
               {"outputs", variant.outputs},
               {"values", std::move(values)},
               {"step_list", std::move(steps)}};
  if (variant.quantized) {
    json["quantised_steps"] = variant.quantized->integer_steps;
    json["float_steps"] = variant.quantized->float_steps;
  }
  if (variant.symbolic) {
    json["symbolic"] = {{"expressions", variant.symbolic->expressions},
                        {"patches", variant.symbolic->patches},
                        {"frame_bytes", variant.symbolic->frame_bytes}};
  }
  return json;
}

}  // namespace

std::string to_json(const ProgramInfo& info) {
  Json sections = Json::array(), methods = Json::array();
  for (const SectionInfo& section : info.sections) {
    sections.push_back({{"kind", section.kind},
                        {"offset", section.offset},
                        {"bytes", section.bytes},
                        {"checksum", section.checksum},
                        {"intact", section.intact}});
  }
  for (const MethodInfo& method : info.methods) {
    Json variants = Json::array();
    for (const VariantInfo& variant : method.variants) variants.push_back(variant_json(variant));
    methods.push_back({{"name", method.name},
                       {"inputs", tensors_json(method.inputs)},
                       {"outputs", tensors_json(method.outputs)},
                       {"test_vectors", method.test_vectors},
                       {"variants", std::move(variants)}});
    for (const SymbolInfo& symbol : method.symbols) {
      methods.back()["symbols"].push_back(
          {{"name", symbol.name}, {"least", symbol.least}, {"most", symbol.most}});
    }
  }
  Json damage = Json::array();
  for (const DamageInfo& one : info.damage) {
    damage.push_back({{"check", one.check}, {"where", one.where}, {"why", one.why}});
  }
  const Json json = {{"damage", std::move(damage)},
                     {"readable", info.readable},
                     {"bytes", info.bytes},
                     {"digest", "0x" + hex_digits(info.digest, 8)},
                     {"version", info.version},
                     {"min_reader", info.min_reader},
                     {"required_features", info.required_features},
                     {"optional_features", info.optional_features},
                     {"plan_bytes", info.plan_bytes},
                     {"constants", info.constants},
                     {"constant_file", info.constant_file},
                     {"sections", std::move(sections)},
                     {"methods", std::move(methods)}};
  // Names come from models, which may hold bytes that are no UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
