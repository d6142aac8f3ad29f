// Says what does not fit and what would help, for people and for programs.
#include "planner/report/shortages.h"

#include <nlohmann/json.hpp>

namespace arenite::planner {
namespace {

using Json = nlohmann::ordered_json;

std::string bytes(uint64_t count) { return std::to_string(count) + " bytes"; }

}  // namespace

std::string text_of(const std::vector<Shortage>& shortages) {
  std::string text;
  for (const Shortage& shortage : shortages) text += (text.empty() ? "" : "\n") + shortage.text;
  return text;
}

std::vector<std::string> advice_of(const Shortage& shortage) {
  std::vector<std::string> lines;
  const std::string memory = "'" + shortage.memory + "'";
  if (shortage.impossible) {
    lines.push_back("no plan of these steps can fit: " + memory + " would need at least " +
                    bytes(shortage.floor_bytes));
  } else if (!shortage.holds_program) {
    lines.push_back("that no plan fits is not proved: at least " + bytes(shortage.floor_bytes) +
                    " of " + memory + " are needed");
  }
  if (shortage.least_is_known)
    lines.push_back(bytes(shortage.least_bytes) + " of " + memory + " would do" +
                    (shortage.least_is_proved ? ", and no less" : ", the least that was found"));
  lines.insert(lines.end(), shortage.advice.begin(), shortage.advice.end());
  return lines;
}

std::string advice_text(const std::vector<Shortage>& shortages) {
  std::string text;
  for (const Shortage& shortage : shortages) {
    for (const std::string& line : advice_of(shortage)) text += "  " + line + "\n";
  }
  return text;
}

Json shortages_json(const std::vector<Shortage>& shortages) {
  Json list = Json::array();
  for (const Shortage& shortage : shortages) {
    Json tensors = Json::array();
    for (const ShortTensor& tensor : shortage.tensors) {
      tensors.push_back({{"name", tensor.name}, {"shape", tensor.shape}, {"bytes", tensor.bytes}});
    }
    Json entry = {{"board", shortage.board},
                  {"memory", shortage.memory},
                  {"memory_bytes", shortage.memory_bytes},
                  {"needed_bytes", shortage.needed_bytes},
                  {"short_by", shortage.short_bytes}};
    entry["step"] = shortage.step ? Json(*shortage.step) : Json(nullptr);
    entry["step_name"] = shortage.step ? Json(shortage.step_name) : Json(nullptr);
    entry["tensors"] = std::move(tensors);
    entry["impossible"] = shortage.impossible;
    entry["least_bytes"] = shortage.least_is_known ? Json(shortage.least_bytes) : Json(nullptr);
    entry["least_is_proved"] = shortage.least_is_proved;
    entry["advice"] = advice_of(shortage);
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
