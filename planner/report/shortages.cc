// Formats shortages as sentences, and the same fields as JSON.
#include "planner/report/shortages.h"

#include <nlohmann/json.hpp>

#include "planner/memory/problem/problem.h"
#include "support/printable.h"

namespace arenite::planner {
namespace {

using Json = nlohmann::ordered_json;

// Whether any plan could do, and from what size of the memory on.
std::string proof_of(const Shortage& shortage) {
  const std::string floor = shortage.floor_bytes == 0
                                ? ""
                                : ": at least " + memory::bytes_counted(shortage.floor_bytes) +
                                      " of " + quote(shortage.memory) + " are needed";
  return (shortage.impossible ? "no plan of these steps can fit"
                              : "that no plan fits is not proved") +
         floor;
}

std::vector<std::string> program_advice(const Shortage& shortage) {
  const std::string memory = quote(shortage.memory);
  std::vector<std::string> lines;
  if (shortage.impossible) {
    lines.push_back("no plan can fit: the constants alone take " +
                    memory::bytes_counted(shortage.floor_bytes));
  }
  lines.push_back(memory::bytes_counted(shortage.least_bytes) + " of " + memory + " would do" +
                  (shortage.least_is_proved ? ", and no less" : " (estimate)"));
  return lines;
}

}  // namespace

std::string text_of(const std::vector<Shortage>& shortages) {
  std::string text;
  for (const Shortage& shortage : shortages) text += (text.empty() ? "" : "\n") + shortage.text;
  return text;
}

std::vector<std::string> advice_of(const Shortage& shortage) {
  std::vector<std::string> lines;
  const std::string memory = quote(shortage.memory);
  if (shortage.holds_program) {
    lines = program_advice(shortage);
  } else {
    lines.push_back(proof_of(shortage));
  }
  if (shortage.least_is_known && !shortage.holds_program) {
    lines.push_back(memory::bytes_counted(shortage.least_bytes) + " of " + memory + " would do" +
                    (shortage.least_is_proved ? ", and no less" : ", the least that was found"));
  }
  lines.insert(lines.end(), shortage.advice.begin(), shortage.advice.end());
  return lines;
}

std::string explained_text(const std::vector<Shortage>& shortages) {
  std::string text;
  for (const Shortage& shortage : shortages) {
    text += shortage.text + "\n";
    for (const std::string& line : advice_of(shortage)) text += "  " + line + "\n";
  }
  return text;
}

std::string contents_text(const ProgramMemoryReport& row) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (row.program_bytes != 0) add("program " + memory::bytes_counted(row.program_bytes));
  if (row.reserved_bytes != 0)
    add("the harness's own " + memory::bytes_counted(row.reserved_bytes));
  if (row.code_bytes) {
    add("code " + memory::bytes_counted(*row.code_bytes) +
        (row.code_is_assumed ? " (assumed)" : " (estimate)"));
  } else if (row.holds_code) {
    add("code not counted (no image build has measured the board's toolchain)");
  }
  return text;
}

Json program_memories_json(const std::vector<ProgramMemoryReport>& rows) {
  Json list = Json::array();
  for (const ProgramMemoryReport& row : rows) {
    Json entry = {{"board", row.board},           {"name", row.name},
                  {"image", row.image},           {"base", row.base},
                  {"size_bytes", row.size_bytes}, {"program_bytes", row.program_bytes}};
    entry["code_bytes"] = row.code_bytes ? Json(*row.code_bytes) : Json(nullptr);
    entry["code_is_estimate"] = row.code_bytes.has_value();
    entry["code_is_assumed"] = row.code_is_assumed;
    entry["reserved_bytes"] = row.reserved_bytes;
    entry["used_bytes"] = row.used_bytes();
    entry["free_bytes"] = row.free_bytes();
    entry["short_bytes"] = row.short_bytes();
    list.push_back(std::move(entry));
  }
  return list;
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
