// Reads the memories of a target from JSON, fastest first.
#include "planner/memplan/memories.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "support/content.h"
#include "support/parse_bytes.h"

namespace arenite::memory {

namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 6> kKeys = {"name",      "bytes",      "alignment",
                                                   "read_cost", "write_cost", "base"};

class Reader {
 public:
  explicit Reader(std::string_view file_name) : file_name_(file_name) {}

  std::vector<Memory> read(std::string_view text) {
    const Json json = parse(text);
    if (!json.is_object() || json.size() != 1 || !json.contains("memories") ||
        !json["memories"].is_array()) {
      fail("expected an object with one key, \"memories\", that holds an array");
    }
    std::vector<Memory> memories;
    for (const Json& entry : json["memories"]) {
      where_ = "memory " + std::to_string(memories.size());
      memories.push_back(read_memory(entry));
      for (std::size_t i = 0; i + 1 < memories.size(); ++i) {
        if (memories[i].name == memories.back().name) fail("an earlier memory has the same name");
      }
    }
    where_.clear();
    if (memories.empty()) fail("\"memories\" is empty; expected at least one");
    return memories;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(std::string(file_name_) + (where_.empty() ? "" : ", " + where_) + ": " + what);
  }

  Json parse(std::string_view text) const {
    try {
      return Json::parse(text);
    } catch (const Json::exception& error) {
      fail(not_json(text, error.what()));
    }
  }

  Memory read_memory(const Json& entry) {
    if (!entry.is_object()) fail("expected an object");
    for (const auto& [key, value] : entry.items()) {
      if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end()) {
        fail("unknown key \"" + key + "\"");
      }
    }
    Memory memory;
    memory.name = name(entry);
    where_ += " '" + memory.name + "'";
    if (!entry.contains("bytes")) fail("\"bytes\" is missing");
    memory.size_bytes =
        entry["bytes"].is_null() ? kUnbounded : whole(entry, "bytes", 0, kTotalBytesMax);
    memory.alignment = static_cast<uint32_t>(
        entry.contains("alignment") ? whole(entry, "alignment", 1, UINT32_MAX) : 1);
    memory.base = entry.contains("base") ? whole(entry, "base", 0, kTotalBytesMax) : 0;
    memory.read_cost = cost(entry, "read_cost");
    memory.write_cost = cost(entry, "write_cost");
    return memory;
  }

  // Names end up in CSV cells, and in lists of names separated by semicolons.
  std::string name(const Json& entry) const {
    if (!entry.contains("name") || !entry["name"].is_string()) {
      fail("\"name\" is missing or no string");
    }
    std::string name = entry["name"].get<std::string>();
    if (name.empty()) fail("\"name\" is empty");
    for (const char c : name) {
      if (static_cast<unsigned char>(c) <= ' ' || c == ',' || c == ';' || c == '"') {
        fail("the name \"" + name + "\" has a blank, comma, semicolon, quote or control character");
      }
    }
    return name;
  }

  uint64_t whole(const Json& entry, const char* key, uint64_t min, uint64_t max) const {
    const Json& value = entry[key];
    const std::string is = std::string("\"") + key + "\" is " + value.dump() + "; ";
    uint64_t number = 0;
    bool good = value.is_number_unsigned();
    if (good) number = value.get<uint64_t>();
    if (value.is_string()) {
      const ParsedBytes parsed = parse_bytes(value.get_ref<const std::string&>());
      if (!parsed.problem.empty()) fail(is + parsed.problem);
      number = parsed.bytes;
      good = true;
    }
    if (!good || number < min || number > max) {
      fail(is + "expected a whole number from " + std::to_string(min) + " to " +
           std::to_string(max) + ", or a size such as \"128K\"");
    }
    return number;
  }

  double cost(const Json& entry, const char* key) const {
    if (!entry.contains(key)) return 1;
    const Json& value = entry[key];
    if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() < 0) {
      fail(std::string("\"") + key + "\" is " + value.dump() + "; expected a number from 0 up");
    }
    return value.get<double>();
  }

  std::string_view file_name_;
  std::string where_;
};

}  // namespace

std::vector<Memory> read_memories(std::string_view json_text, std::string_view file_name) {
  return Reader(file_name).read(json_text);
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
