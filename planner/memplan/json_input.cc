// Reads objects key by key, and names the entry of a key that is unknown, missing or mistyped.
#include "planner/memplan/json_input.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "support/content.h"
#include "support/parse_bytes.h"
#include "support/printable.h"

namespace arenite::memory {

namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 6> kMemoryKeys = {"name",      "bytes",      "alignment",
                                                         "read_cost", "write_cost", "base"};

class MemoriesReader {
 public:
  explicit MemoriesReader(std::string_view file_name) : file_name_(file_name) {}

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
      if (std::find(kMemoryKeys.begin(), kMemoryKeys.end(), key) == kMemoryKeys.end()) {
        fail("unknown key \"" + key + "\"");
      }
    }
    Memory memory;
    memory.name = name(entry);
    where_ += " " + quote(memory.name);
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
  return MemoriesReader(file_name).read(json_text);
}

namespace {

constexpr std::array<std::string_view, 7> kConstraintKeys = {"tensor", "board", "not_in",  "memory",
                                                             "offset", "tie",   "distance"};

class ConstraintsReader {
 public:
  explicit ConstraintsReader(std::string_view file_name) { result_.file_name = file_name; }

  Constraints read(std::string_view text) {
    Json json;
    try {
      json = Json::parse(text);
    } catch (const Json::exception& error) {
      throw InputError(result_.file_name + ": " + not_json(text, error.what()));
    }
    if (!json.is_object() || json.size() != 1 || !json.contains("constraints") ||
        !json["constraints"].is_array()) {
      throw InputError(result_.file_name +
                       ": expected an object with one key, \"constraints\", that holds an array");
    }
    for (const Json& entry : json["constraints"]) {
      result_.entries.emplace_back();
      result_.entries.back().number = result_.entries.size();
      read_entry(entry, result_.entries.back());
    }
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(where(result_, result_.entries.back()) + what);
  }

  std::string text(const Json& entry, const char* key) const {
    if (!entry[key].is_string() || entry[key].get_ref<const std::string&>().empty()) {
      fail("\"" + std::string(key) + "\" is " + dumped(entry[key]) + "; expected a name");
    }
    return entry[key].get<std::string>();
  }

  static std::string dumped(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  void read_entry(const Json& json, Constraint& entry) const {
    if (!json.is_object()) fail("expected an object");
    if (!json.contains("tensor")) fail("\"tensor\" is missing");
    entry.tensor = text(json, "tensor");
    for (const auto& [key, value] : json.items()) {
      if (std::find(kConstraintKeys.begin(), kConstraintKeys.end(), key) == kConstraintKeys.end()) {
        fail("unknown key \"" + key + "\"");
      }
    }
    if (json.contains("board")) entry.board = text(json, "board");
    if (json.contains("memory")) entry.memory = text(json, "memory");
    if (json.contains("tie")) entry.tie = text(json, "tie");
    if (json.contains("not_in")) read_not_in(json["not_in"], entry);
    if (json.contains("offset")) {
      const Json& offset = json["offset"];
      if (!entry.memory) fail("\"offset\" needs \"memory\"");
      if (!offset.is_number_unsigned() || offset.get<uint64_t>() > kTotalBytesMax) {
        fail("\"offset\" is " + dumped(offset) + "; expected bytes from 0 to 2^62");
      }
      entry.offset = offset.get<uint64_t>();
    }
    if (json.contains("distance")) {
      const Json& distance = json["distance"];
      constexpr int64_t kMax = int64_t{1} << 60;
      if (!entry.tie) fail("\"distance\" needs \"tie\"");
      const bool fits =
          distance.is_number_integer() &&
          (!distance.is_number_unsigned() || distance.get<uint64_t>() <= uint64_t{kMax}) &&
          distance.get<int64_t>() <= kMax && distance.get<int64_t>() >= -kMax;
      if (!fits) fail("\"distance\" is " + dumped(distance) + "; expected at most 2^60 bytes");
      entry.distance_bytes = distance.get<int64_t>();
    }
    check_asks_one_thing(entry);
  }

  void read_not_in(const Json& list, Constraint& entry) const {
    if (!list.is_array() || list.empty()) fail("\"not_in\" is no list of memory names");
    for (const Json& name : list) {
      if (!name.is_string()) fail("\"not_in\" holds " + dumped(name) + "; expected memory names");
      entry.not_in.push_back(name.get<std::string>());
    }
  }

  void check_asks_one_thing(const Constraint& entry) const {
    const int asked = (entry.not_in.empty() ? 0 : 1) + (entry.memory ? 1 : 0) + (entry.tie ? 1 : 0);
    if (asked != 1) {
      fail("expected one of \"not_in\", \"memory\" and \"tie\", found " + std::to_string(asked));
    }
  }

  Constraints result_;
};

}  // namespace

Constraints read_constraints(std::string_view json_text, std::string_view file_name) {
  return ConstraintsReader(file_name).read(json_text);
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
