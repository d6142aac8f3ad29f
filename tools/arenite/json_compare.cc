// Writes the JSON object of `arenite compare`.
#include "tools/arenite/json.h"
#include "tools/arenite/json_value.h"

namespace arenite::tools {
namespace {

Json to_json(const Side& side) {
  return {{"program", side.program},
          {"device", side.info.on_vulkan ? "vulkan" : "cpu"},
          {"device_name", side.info.device_name},
          {"board", side.info.board},
          {"steps", side.info.counts.of_model()},
          {"race", side.watching_changed_outputs}};
}

Json to_json(const ComparedValue& value) {
  Json json{{"name", value.key.name},
            {"value", describe(value.key)},
            {"step_a", value.node_a},
            {"step_b", value.node_b},
            {"dtype", std::string(text_of(value.dtype))},
            {"shape", value.dims},
            {"agrees", value.difference.agrees()}};
  add_difference(value.difference, json);
  return json;
}

}  // namespace

std::string to_json(const Comparison& comparison, bool made_up_inputs) {
  Json json;
  json["a"] = to_json(comparison.a);
  json["b"] = to_json(comparison.b);
  json["inputs"] = made_up_inputs ? "made up" : "given";
  json["agree"] = comparison.outputs_agree();
  json["first_difference"] = nullptr;
  if (comparison.first) json["first_difference"] = to_json(comparison.values[*comparison.first]);
  json["outputs"] = Json::array();
  for (const ComparedOutput& output : comparison.outputs) {
    Json one{{"name", output.name},
             {"agrees", output.difference.agrees()},
             {"why", describe(output.difference)}};
    add_difference(output.difference, one);
    json["outputs"].push_back(std::move(one));
  }
  json["values"] = Json::array();
  for (const ComparedValue& value : comparison.values) json["values"].push_back(to_json(value));
  json["not_compared"] = Json::array();
  for (const Uncompared& one : comparison.uncompared) {
    json["not_compared"].push_back({{"value", one.value}, {"why", one.why}});
  }
  return dump(json);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
