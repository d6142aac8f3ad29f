// Writes which operators are supported where.
#include "planner/graph/names.h"
#include "tools/arenite/json.h"
#include "tools/arenite/json_value.h"

namespace arenite::tools {
namespace {

Json types_json(TypeSet types) {
  Json names = Json::array();
  for (uint32_t i = 0; i < 32; ++i) {
    if ((types >> i & 1u) != 0) names.push_back(planner::dtype_name(static_cast<DType>(i)));
  }
  return names;
}

}  // namespace

std::string to_json(const OpsReport& report) {
  Json json;
  json["model"] = nullptr;
  if (!report.model.empty()) json["model"] = report.model;
  json["operators"] = Json::array();
  for (const OpLine& line : report.operators) {
    Json op{{"name", line.support.name}};
    if (!report.model.empty()) op["count"] = line.count;
    op["supported"] = line.why.empty();
    op["becomes"] = Json::array();
    for (const Op step : line.support.becomes) {
      op["becomes"].push_back(planner::op_name(step));
    }
    op["cpu"] = types_json(line.support.cpu);
    op["gpu"] = types_json(line.support.gpu);
    op["note"] = line.support.note;
    op["why"] = line.why;
    op["instead"] = line.instead;
    json["operators"].push_back(std::move(op));
  }
  return dump(json);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
