// Writes the JSON object of `arenite fit`.
#include "tools/arenite/json.h"
#include "tools/arenite/json_value.h"

namespace arenite::tools {

std::string to_json(const std::vector<planner::FitRow>& rows) {
  Json json;
  json["rows"] = Json::array();
  for (const planner::FitRow& row : rows) {
    Json entry;
    entry["board"] = row.board.empty() ? Json(nullptr) : Json(row.board);
    entry["budget_bytes"] = row.budget_bytes ? Json(*row.budget_bytes) : Json(nullptr);
    entry["fits"] = row.fits();
    entry["short_by"] = row.shortages.empty() ? 0 : row.shortages.front().bytes;
    entry["short"] = Json::array();
    for (const planner::FitRow::Short& one : row.shortages) {
      entry["short"].push_back(
          {{"memory", one.memory}, {"short_by", one.bytes}, {"impossible", one.impossible}});
    }
    entry["unknown"] = row.code_is_known ? Json::array() : Json::array({"code"});
    entry["ram_bytes"] = row.ram_bytes;
    const auto total = row.ram.total_bytes();
    entry["ram_total_bytes"] = total ? Json(*total) : Json(nullptr);
    entry["instance_bytes"] = row.ram.instance_bytes;
    entry["bss_bytes"] = row.ram.bss_bytes;
    entry["states_bytes"] = row.ram.states_bytes;
    entry["stack_bytes"] = row.ram.stack_bytes ? Json(*row.ram.stack_bytes) : Json(nullptr);
    entry["stack_is_assumed"] = row.ram.stack_is_assumed;
    entry["flash_bytes"] = row.flash_bytes;
    entry["flash_has_code"] = row.flash_has_code;
    entry["floor_step"] = row.floor_step_name;
    entry["floor_step_index"] = row.floor_step;
    json["rows"].push_back(std::move(entry));
  }
  return dump(json);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
