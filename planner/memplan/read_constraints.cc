// Reads a constraints file.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "planner/memplan/constraints.h"
#include "support/content.h"

namespace arenite::memory {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 7> kKeys = {"tensor", "board", "not_in",  "memory",
                                                   "offset", "tie",   "distance"};

class Reader {
 public:
  explicit Reader(std::string_view file_name) { result_.file_name = file_name; }

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
      if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end()) {
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

std::string where(const Constraints& constraints, const Constraint& entry) {
  return constraints.file_name + ", constraint " + std::to_string(entry.number) +
         (entry.tensor.empty() ? "" : " (tensor '" + entry.tensor + "')") + ": ";
}

Constraints read_constraints(std::string_view json_text, std::string_view file_name) {
  return Reader(file_name).read(json_text);
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
