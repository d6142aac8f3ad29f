// Reads a program's steps as `inspect` shows them, and matches measured steps by number and
// operator.
#include "planner/report/picture/step_facts.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "ops/contracts.h"
#include "planner/graph/names.h"
#include "planner/graph/work.h"
#include "planner/program/inspect.h"
#include "portable_fallback/form_names.h"
#include "support/printable.h"

namespace arenite::picture {
namespace {

using MeasuredJson = nlohmann::json;
using planner::StepInfo;
using planner::ValueInfo;
using planner::VariantInfo;

const std::map<std::string, Op>& ops_by_name() {
  static const std::map<std::string, Op> ops = {
#define ARENITE_OP(number, name, Type, family, set) {#name, Op::k##Type},
#include "schema/ops.def"
  };
  return ops;
}

const ValueInfo* operand(const VariantInfo& variant, const std::vector<int64_t>& values,
                         size_t at) {
  if (at >= values.size() || values[at] < 0) return nullptr;
  return &variant.values[static_cast<size_t>(values[at])];
}

// Of operators that multiply and add; others have none.
uint64_t macs_of(Op op, const StepInfo& step, const VariantInfo& variant) {
  const Contract* contract = find_contract(op);
  const Work rule = contract == nullptr ? Work::kOne : contract->work;
  if (rule != Work::kWeights && rule != Work::kInner && rule != Work::kKeys) return 0;
  const auto dims_of = [&](size_t at) {
    const ValueInfo* value = operand(variant, step.inputs, at);
    return value == nullptr ? std::vector<uint32_t>() : value->dims;
  };
  const ValueInfo* output = operand(variant, step.outputs, 0);
  if (output == nullptr) return 0;
  uint64_t results = 1;
  for (const uint32_t dim : output->dims) results *= dim;
  return results *
         planner::operations_each({rule, dims_of(0), dims_of(1), results, step.attributes});
}

StepFacts facts_of(const StepInfo& step, const VariantInfo& variant) {
  StepFacts facts;
  const auto op = ops_by_name().find(step.op);
  if (op == ops_by_name().end()) return facts;
  if (step.where == "vulkan") facts.form = step.shader;
  if (step.where == "cpu") {
    const FormNames* names = find_form_names(op->second, static_cast<uint8_t>(step.form));
    if (names != nullptr) facts.form = names->key;
  }
  if (step.where != "view" && step.where != "transfer") {
    facts.macs = macs_of(op->second, step, variant);
  }
  return facts;
}

void add_weights(const VariantInfo& variant, Section& section) {
  std::map<int64_t, size_t> places;
  for (size_t s = 0; s < variant.steps.size(); ++s) {
    const std::vector<int64_t>& inputs = variant.steps[s].inputs;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i] < 0) continue;
      const ValueInfo& value = variant.values[static_cast<size_t>(inputs[i])];
      if (value.kind != "constant") continue;
      const auto [place, added] = places.try_emplace(inputs[i], section.weights.size());
      if (added) {
        Weight weight;
        weight.name = section.variant->step_list[s].name + ", operand " + std::to_string(i);
        if (!value.name.empty()) weight.name = printable(value.name);
        weight.dtype = value.dtype;
        weight.shape = planner::dims_text(std::span<const uint32_t>(value.dims));
        weight.bytes = value.bytes;
        section.weights.push_back(std::move(weight));
      }
      std::vector<uint32_t>& readers = section.weights[place->second].read_by;
      const auto step = static_cast<uint32_t>(s);
      if (readers.empty() || readers.back() != step) readers.push_back(step);
    }
  }
}

// The steps of what a command printed.
const MeasuredJson& steps_in(const MeasuredJson& json, const std::string& name) {
  const MeasuredJson* at = &json;
  if (json.is_object() && json.contains("profile")) at = &json["profile"];
  if (at->is_object() && at->contains("steps") && (*at)["steps"].is_array()) return (*at)["steps"];
  if (at->is_array()) return *at;
  throw InputError(name + ": has no times of steps; expected what 'arenite bench --json', " +
                   "'arenite run --profile --json' or 'arenite target bench --profile --json' " +
                   "prints");
}

// Why these are not the section's steps; empty where they are.
std::string mismatch(const MeasuredJson& steps, const Section& section) {
  const auto& list = section.variant->step_list;
  for (const MeasuredJson& step : steps) {
    const auto number = step.value("step", uint64_t{UINT32_MAX});
    const std::string op = step.value("op", "");
    if (number >= list.size()) {
      return "step " + std::to_string(number) + ", and the plan has " +
             std::to_string(list.size()) + " steps";
    }
    if (op != list[number].op) {
      return "step " + std::to_string(number) + " is " + quote(op) + ", and " +
             quote(list[number].op) + " in the plan";
    }
  }
  return "";
}

}  // namespace

void add_program_facts(std::span<const std::byte> file, std::span<Section> sections) {
  const planner::ProgramInfo info = planner::inspect(file);
  if (!info.readable) return;
  std::vector<const VariantInfo*> variants;
  for (const planner::MethodInfo& method : info.methods) {
    for (const VariantInfo& variant : method.variants) variants.push_back(&variant);
  }
  if (variants.size() != sections.size()) throw std::logic_error("a program of other variants");
  for (size_t i = 0; i < sections.size(); ++i) {
    for (const StepInfo& step : variants[i]->steps) {
      sections[i].steps.push_back(facts_of(step, *variants[i]));
    }
    add_weights(*variants[i], sections[i]);
  }
}

void add_costs(const std::string& json_text, const std::string& name, std::span<Section> sections) {
  const MeasuredJson json = MeasuredJson::parse(json_text, nullptr, false);
  if (json.is_discarded()) throw InputError(name + ": is no JSON");
  const MeasuredJson& steps = steps_in(json, name);
  const bool any = json.is_object() && json.contains("board");
  std::string why = "no variant is for its board and device";
  for (Section& section : sections) {
    const bool vulkan = json.is_object() && json.value("device", "cpu") == "vulkan";
    if (any && json["board"] != section.variant->board) continue;
    if (vulkan != section.variant->vulkan) continue;
    try {
      const std::string problem = mismatch(steps, section);
      if (!problem.empty()) {
        why = problem;
        continue;
      }
      section.steps.resize(section.variant->step_list.size());
      for (const MeasuredJson& step : steps) {
        const bool counted = step.contains("instructions");
        const MeasuredJson cost =
            step.value(counted ? "instructions" : "median_us", MeasuredJson());
        if (!cost.is_number()) continue;  // the device does not tell
        section.cost_unit = counted ? "instructions" : "us";
        section.steps[step["step"].get<size_t>()].cost = cost.get<double>();
      }
    } catch (const MeasuredJson::exception& error) {
      throw InputError(name + ": its steps are not as commands print them: " + error.what());
    }
    return;
  }
  throw InputError(name + ": has times of another plan: " + why);
}

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0
