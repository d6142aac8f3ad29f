// Holds the names of measured forms against the rows of schema/forms.def.
#include "planner/board/read_costs.h"

#include <set>

#include "planner/board/json_object.h"
#include "planner/graph/step_size.h"
#include "portable_fallback/form_names.h"
#include "support/suggest.h"

namespace arenite::planner {
namespace {

constexpr double kPicosecondsMax = 1e15;

double picoseconds(const JsonObject& entry, const char* key, double otherwise) {
  if (!entry.has(key)) return otherwise;
  const nlohmann::json& value = entry.get(key);
  if (!value.is_number() || !(value.get<double>() >= 0) || value.get<double>() > kPicosecondsMax) {
    entry.fail("\"" + std::string(key) + "\" is " + value.dump() +
               "; expected a number of picoseconds from 0 to 1e15");
  }
  return value.get<double>();
}

// Every CPU form, and for each operator its shaders.
std::vector<std::string> known_names() {
  std::set<std::string> names;
  for (const FormNames& form : form_names()) {
    const std::string key = form.key;
    names.insert(key);
    names.insert(key.substr(0, key.find('.')) + ".vulkan");
  }
  return {names.begin(), names.end()};
}

}  // namespace

StepCosts read_costs(const nlohmann::json& json, const std::string& where) {
  const JsonObject root(json, where, {"forms", "transfer", "cut"});
  StepCosts costs;
  const std::vector<std::string> known = known_names();
  const std::vector<std::string> cases = step_cases();
  std::vector<std::string_view> keys = {"form", "case"};
  for (const CostKey& key : kCostKeys) keys.emplace_back(key.key);
  for (const nlohmann::json& form : root.array("forms")) {
    const JsonObject entry(form, root.place("form", costs.forms.size()), keys);
    const std::string name = entry.text("form");
    if (!std::ranges::binary_search(known, name)) {
      entry.fail("\"form\" is \"" + name + "\", which is none" + did_you_mean(name, known) +
                 "; expected a CPU form such as \"Conv.float32\", or \"Conv.vulkan\"");
    }
    entry.get("ps_per_unit");
    const std::string which = entry.text_or("case", "");
    if (!which.empty() && !std::ranges::binary_search(cases, which)) {
      entry.fail("\"case\" is \"" + which + "\", which is none" + did_you_mean(which, cases) +
                 "; expected one of " + listed(cases));
    }
    MeasuredCost cost;
    for (const CostKey& key : kCostKeys) cost.*key.ps = picoseconds(entry, key.key, 0);
    if (!costs.forms.emplace(which.empty() ? name : name + " " + which, cost).second) {
      entry.fail("\"form\" is \"" + name + "\"" +
                 (which.empty() ? "" : " and \"case\" \"" + which + "\"") +
                 ", as of an entry before it");
    }
  }
  if (root.has("transfer")) {
    const JsonObject entry(root.get("transfer"), where + ", transfer", {"ps_per_byte", "ps"});
    costs.transfer = {picoseconds(entry, "ps_per_byte", 0), picoseconds(entry, "ps", 0)};
  }
  if (root.has("cut")) {
    const JsonObject entry(root.get("cut"), where + ", cut", {"ps", "wait_ps"});
    costs.cut_ps = picoseconds(entry, "ps", costs.cut_ps);
    costs.wait_ps = picoseconds(entry, "wait_ps", costs.wait_ps);
  }
  return costs;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
