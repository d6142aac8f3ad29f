// One object of a board file: its values by key, and errors that name the key and its place.
#pragma once

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "planner/graph/graph.h"
#include "support/parse_bytes.h"

namespace arenite::planner {

class JsonObject {
 public:
  JsonObject(const nlohmann::json& json, std::string where,
             const std::vector<std::string_view>& known)
      : json_(json), where_(std::move(where)) {
    if (!json.is_object()) fail("expected an object, found " + std::string(json.type_name()));
    for (const auto& [key, value] : json.items()) {
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        fail("unknown key \"" + key + "\"");
      }
    }
  }

  [[noreturn]] void fail(const std::string& what) const { throw InputError(where_ + ": " + what); }

  bool has(const char* key) const { return json_.contains(key) && !json_[key].is_null(); }

  const nlohmann::json& get(const char* key) const {
    if (!json_.contains(key)) fail("\"" + std::string(key) + "\" is missing");
    return json_[key];
  }

  std::string text(const char* key) const {
    const nlohmann::json& value = get(key);
    if (!value.is_string() || value.get<std::string>().empty()) {
      fail_value(key, "text that is not empty");
    }
    return value.get<std::string>();
  }

  std::string text_or(const char* key, std::string otherwise) const {
    return has(key) ? text(key) : std::move(otherwise);
  }

  // A whole number, or text that parse_bytes reads ("0x30000000", "128K").
  uint64_t number(const char* key, uint64_t min, uint64_t max) const {
    const nlohmann::json& value = get(key);
    uint64_t number = 0;
    bool good = value.is_number_unsigned();
    if (good) {
      number = value.get<uint64_t>();
    } else if (value.is_string()) {
      const ParsedBytes parsed = parse_bytes(value.get_ref<const std::string&>());
      if (!parsed.problem.empty()) {
        fail("\"" + std::string(key) + "\" is " + value.dump() + "; " + parsed.problem);
      }
      number = parsed.bytes;
      good = true;
    }
    if (!good || number < min || number > max) {
      fail_value(key, "a whole number from " + std::to_string(min) + " to " + std::to_string(max) +
                          ", or a size such as \"128K\"");
    }
    return number;
  }

  uint32_t number32(const char* key, uint32_t min) const {
    return static_cast<uint32_t>(number(key, min, UINT32_MAX));
  }

  std::vector<std::string> words(const char* key) const {
    std::vector<std::string> words;
    if (!has(key)) return words;
    const nlohmann::json& value = get(key);
    if (!value.is_array()) fail_value(key, "an array of words");
    for (const nlohmann::json& word : value) {
      if (!word.is_string()) fail_value(key, "an array of words");
      words.push_back(word.get<std::string>());
    }
    return words;
  }

  const nlohmann::json& array(const char* key) const {
    const nlohmann::json& value = get(key);
    if (!value.is_array()) fail("\"" + std::string(key) + "\" must be an array");
    return value;
  }

  const std::string& where() const { return where_; }
  // Of an object inside this one, for messages: "x.json, memory 0".
  std::string place(const char* what, size_t index) const {
    return where_ + ", " + what + " " + std::to_string(index);
  }

 private:
  [[noreturn]] void fail_value(const char* key, const std::string& expected) const {
    fail("\"" + std::string(key) + "\" is " + json_[key].dump() + "; expected " + expected);
  }

  const nlohmann::json& json_;
  std::string where_;
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
