// Writes each value on the line at hand if it fits, else over several lines.
#include "tools/calibrate/compact_json.h"

#include <algorithm>
#include <vector>

namespace arenite::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kColumnsMax = 150;
constexpr size_t kIndent = 2;

// With a space behind each colon and comma, as people write it.
std::string on_one_line(const Json& json) {
  if (!json.is_structured()) return json.dump();
  std::string text;
  for (const auto& [key, value] : json.items()) {
    if (!text.empty()) text += ", ";
    if (json.is_object()) text += Json(key).dump() + ": ";
    text += on_one_line(value);
  }
  return json.is_object() ? "{" + text + "}" : "[" + text + "]";
}

bool holds_structures(const Json& json) {
  return std::ranges::any_of(json, [](const Json& value) { return value.is_structured(); });
}

std::string text_of(const Json& json, size_t indent, size_t column);

// Members one behind another, as many as fit into a line, at `indent`; each ends at a comma.
std::string filled(const Json& json, size_t indent, size_t column) {
  std::string text;
  for (const auto& [key, value] : json.items()) {
    const std::string member =
        (json.is_object() ? Json(key).dump() + ": " : "") + on_one_line(value);
    const bool first = text.empty();
    if (!first) text += ",";
    if (!first && column + member.size() + 2 > kColumnsMax) {
      text += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!first) {
      text += " ";
    }
    text += member;
    column += member.size() + 2;
  }
  return text;
}

// A line for each member, or more.
std::string broken(const Json& json, size_t indent) {
  std::string text;
  for (const auto& [key, value] : json.items()) {
    const std::string name = json.is_object() ? Json(key).dump() + ": " : "";
    text += (text.empty() ? "" : ",\n") + std::string(indent, ' ') + name +
            text_of(value, indent, indent + name.size());
  }
  return text;
}

// `column`: where the text begins. A comma may follow it.
std::string text_of(const Json& json, size_t indent, size_t column) {
  const std::string one_line = on_one_line(json);
  const bool is_whole_file = indent == 0;
  if (!json.is_structured() || json.empty()) return one_line;
  if (!is_whole_file && column + one_line.size() + 1 <= kColumnsMax) return one_line;
  const size_t inner = indent + kIndent;
  const std::string begin = "\n" + std::string(inner, ' '), end = "\n" + std::string(indent, ' ');
  if (json.is_object()) {
    if (!is_whole_file && !holds_structures(json)) {
      return "{" + filled(json, indent + 1, column + 1) + "}";
    }
    return "{\n" + broken(json, inner) + end + "}";
  }
  return "[" +
         (holds_structures(json) ? "\n" + broken(json, inner)
                                 : begin + filled(json, inner, inner)) +
         end + "]";
}

}  // namespace

std::string compact_json(const Json& json) { return text_of(json, 0, 0) + "\n"; }

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
