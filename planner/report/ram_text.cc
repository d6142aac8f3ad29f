// Writes the sums of planner/report/ram.h as a table and as JSON.
#include "planner/report/ram_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

namespace arenite::planner {
namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<std::string>;

constexpr const char* kUnknown = "unknown";

Json known(const std::optional<uint64_t>& bytes) { return bytes ? Json(*bytes) : Json(nullptr); }

}  // namespace

std::string stack_text(const RamReport& ram, const char* unknown) {
  if (!ram.stack_bytes.has_value()) return unknown;
  return (ram.stack_is_assumed ? "~" : "") + std::to_string(*ram.stack_bytes);
}

std::string ram_line(const RamReport& ram) {
  const auto total = ram.total_bytes();
  return "RAM of board " + ram.board + ": " +
         (total ? std::to_string(*total) + " bytes, of which arenas " : "arenas ") +
         std::to_string(ram.arenas_bytes) + ", Instance " + std::to_string(ram.instance_bytes) +
         ", .bss " + std::to_string(ram.bss_bytes) + ", stack " + stack_text(ram, kUnknown) +
         (ram.states_bytes == 0 ? "" : ", states " + std::to_string(ram.states_bytes)) + ".";
}

std::string ram_text(const RamReport& ram) {
  const auto total = ram.total_bytes();
  constexpr std::ptrdiff_t kStatesColumn = 5;
  std::vector<Cells> rows = {
      {"RAM", "arenas", "Instance", ".bss", "stack", "states", "total", "size"}};
  for (const RamMemory& memory : ram.memories) {
    rows.push_back({memory.name, std::to_string(memory.arenas_bytes),
                    std::to_string(memory.instance_bytes), std::to_string(memory.bss_bytes),
                    std::to_string(memory.stack_bytes), std::to_string(memory.states_bytes),
                    std::to_string(memory.used_bytes()),
                    memory.size_bytes ? std::to_string(*memory.size_bytes) : "no limit"});
  }
  rows.push_back({"in all", std::to_string(ram.arenas_bytes), std::to_string(ram.instance_bytes),
                  std::to_string(ram.bss_bytes), stack_text(ram, kUnknown),
                  std::to_string(ram.states_bytes), total ? std::to_string(*total) : kUnknown, ""});
  if (ram.states_bytes == 0) {  // no column of zeros for most
    for (Cells& row : rows) row.erase(row.begin() + kStatesColumn);
  }
  std::string text;
  for (const Cells& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      size_t width = 0;
      for (const Cells& other : rows) width = std::max(width, other[i].size());
      const std::string padding(width - row[i].size(), ' ');
      line += i == 0 ? row[i] + padding : "  " + padding + row[i];
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  if (ram.stack_is_assumed) {
    text += "~ assumed: no image build has measured the stack with the board's toolchain\n";
  } else if (!ram.stack_bytes.has_value()) {
    text += "the stack is not known: no image build has measured it, and its memory has no limit\n";
  }
  return text;
}

Json ram_json(const RamReport& ram) {
  Json memories = Json::array();
  for (const RamMemory& memory : ram.memories) {
    memories.push_back({{"name", memory.name},
                        {"size_bytes", known(memory.size_bytes)},
                        {"arenas_bytes", memory.arenas_bytes},
                        {"instance_bytes", memory.instance_bytes},
                        {"bss_bytes", memory.bss_bytes},
                        {"stack_bytes", memory.stack_bytes},
                        {"states_bytes", memory.states_bytes},
                        {"total_bytes", memory.used_bytes()}});
  }
  return {{"board", ram.board},
          {"arenas_bytes", ram.arenas_bytes},
          {"instance_bytes", ram.instance_bytes},
          {"bss_bytes", ram.bss_bytes},
          {"stack_bytes", known(ram.stack_bytes)},
          {"stack_is_assumed", ram.stack_is_assumed},
          {"states_bytes", ram.states_bytes},
          {"total_bytes", known(ram.total_bytes())},
          {"memories", std::move(memories)}};
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
