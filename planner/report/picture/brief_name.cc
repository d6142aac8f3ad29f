// Splits the path at slashes and drops parts that the next one repeats.
#include "planner/report/picture/brief_name.h"

#include <algorithm>
#include <vector>

namespace arenite::picture {
namespace {

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    parts.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// "conv" before "conv.0", or before another "conv".
bool says_more(std::string_view next, std::string_view part) {
  return next.starts_with(part) && (next.size() == part.size() || next[part.size()] == '.');
}

}  // namespace

std::string brief_name(std::string_view name) {
  constexpr std::string_view kFirstOutput = "_output_0";
  std::string_view node = name.substr(0, name.find('+'));
  if (node.ends_with(kFirstOutput)) node.remove_suffix(kFirstOutput.size());
  if (node.empty()) return std::string(name);
  const std::vector<std::string_view> path = parts_of(node);
  std::string text;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const bool last = i + 1 == path.size();
    if (!last && !path[i].empty() && says_more(path[i + 1], path[i])) continue;
    text += std::string(path[i]) + (last ? "" : "/");
  }
  return text;
}

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0
