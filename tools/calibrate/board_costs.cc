// Keeps the order of keys, and writes costs with six digits.
#include "tools/calibrate/board_costs.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "support/errors.h"

namespace arenite::tools {
namespace {

using Json = nlohmann::ordered_json;

// A few digits: more are no knowledge.
double rounded(double ps) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", ps);
  return std::strtod(text, nullptr);
}

Json entry_of(const std::string& name, const planner::MeasuredCost& cost) {
  const size_t space = name.find(' ');
  Json entry{{"form", name.substr(0, space)}};
  if (space != std::string::npos) entry["case"] = name.substr(space + 1);
  for (const planner::CostKey& key : planner::kCostKeys) {
    const double ps = cost.*key.ps;
    if (ps > 0 || key.term == planner::SizeTerm::kUnit) entry[key.key] = rounded(ps);
  }
  return entry;
}

std::string name_of(const Json& entry) {
  const std::string which = entry.value("case", "");
  return entry.value("form", "") + (which.empty() ? "" : " " + which);
}

}  // namespace

std::string with_costs(const std::string& text, const std::string& name,
                       const planner::FormCosts& costs) {
  Json board = Json::parse(text, nullptr, false);
  if (!board.is_object()) throw InputError(name + ": expected a board file, a JSON object");
  Json forms = Json::array();
  if (board.contains("costs") && board["costs"].contains("forms")) {
    for (const Json& entry : board["costs"]["forms"]) {
      if (!costs.contains(name_of(entry))) forms.push_back(entry);
    }
  }
  for (const auto& [form, cost] : costs) forms.push_back(entry_of(form, cost));
  if (!board.contains("costs")) board["costs"] = Json::object();
  board["costs"]["forms"] = std::move(forms);
  return board.dump(2) + "\n";
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
