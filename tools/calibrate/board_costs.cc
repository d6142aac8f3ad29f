// Keeps the order of keys, and writes costs with four digits.
#include "tools/calibrate/board_costs.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "support/errors.h"
#include "tools/calibrate/compact_json.h"

namespace arenite::tools {
namespace {

using Json = nlohmann::ordered_json;

// A few digits: more are no knowledge. Whole numbers are written without a point.
Json rounded(double ps) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", ps);
  const double few = std::strtod(text, nullptr);
  if (few == std::floor(few)) return static_cast<uint64_t>(few);
  return few;
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

// A case that costs what its form does needs no entry.
bool needs_entry(const planner::FormCosts& costs, const std::string& key) {
  const size_t space = key.find(' ');
  const auto form = space == std::string::npos ? costs.end() : costs.find(key.substr(0, space));
  return form == costs.end() || form->second != costs.at(key);
}

}  // namespace

size_t count_entries(const planner::FormCosts& costs) {
  return static_cast<size_t>(std::ranges::count_if(
      costs, [&](const auto& cost) { return needs_entry(costs, cost.first); }));
}

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
  for (const auto& [key, cost] : costs) {
    if (needs_entry(costs, key)) forms.push_back(entry_of(key, cost));
  }
  if (!board.contains("costs")) board["costs"] = Json::object();
  board["costs"]["forms"] = std::move(forms);
  return compact_json(board);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
