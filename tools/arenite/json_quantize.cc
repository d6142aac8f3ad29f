// Writes what quantizing a model costs.
#include <cmath>

#include "tools/arenite/json.h"
#include "tools/arenite/json_value.h"

namespace arenite::tools {
namespace {

// Infinite where nothing differs: JSON has no such number.
Json decibels(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace

std::string to_json(const planner::QuantizedModel& model, const std::string& output,
                    size_t samples) {
  Json json;
  json["model"] = output;
  json["bytes"] = model.file.size();
  json["samples"] = samples;
  json["integer_nodes"] = model.integer_nodes;
  json["float_nodes"] = model.float_nodes;
  json["tensors"] = Json::array();
  for (const planner::TensorCost& tensor : model.tensors) {
    json["tensors"].push_back({{"name", tensor.name},
                               {"node", tensor.node},
                               {"op", tensor.op},
                               {"scale", tensor.scale},
                               {"zero_point", tensor.zero_point},
                               {"max_abs", tensor.max_abs},
                               {"max_error", tensor.max_error},
                               {"sqnr_db", decibels(tensor.sqnr_db)}});
  }
  json["outputs"] = Json::array();
  for (const planner::OutputCost& cost : model.outputs) {
    json["outputs"].push_back({{"name", cost.name},
                               {"max_abs", cost.max_abs},
                               {"max_error", cost.max_error},
                               {"sqnr_db", decibels(cost.sqnr_db)},
                               {"samples", cost.samples},
                               {"same_top", cost.same_top}});
  }
  return dump(json);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
