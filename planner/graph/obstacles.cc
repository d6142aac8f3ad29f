// Groups obstacles, and writes them as a table.
#include "planner/graph/obstacles.h"

#include <algorithm>

namespace arenite::planner {
namespace {

// A reason without what differs from node to node: names in quotes, dims in brackets, numbers.
std::string without_particulars(const std::string& why) {
  std::string kept;
  bool quoted = false;
  int brackets = 0;
  for (const char c : why) {
    if (c == '\'') quoted = !quoted;
    if (c == ']') brackets = std::max(0, brackets - 1);
    if (!quoted && brackets == 0 && (c < '0' || c > '9')) kept += c;
    if (c == '[') ++brackets;
  }
  return kept;
}

std::string padded(std::string text, size_t columns) {
  text.resize(std::max(text.size(), columns), ' ');
  return text;
}

std::string right(const std::string& text, size_t columns) {
  return std::string(columns - std::min(columns, text.size()), ' ') + text;
}

// The model that all obstacles are in; "" where they are in several.
std::string only_model(std::span<const Obstacle> obstacles) {
  const std::string& first = obstacles.front().model;
  const bool one = std::all_of(obstacles.begin(), obstacles.end(),
                               [&](const Obstacle& other) { return other.model == first; });
  return one ? first : "";
}

std::string table(std::span<const Obstacle> obstacles) {
  constexpr size_t kReasonColumnsMax = 60;  // longer ones move their own lines only
  const std::vector<ObstacleGroup> groups = grouped(obstacles);
  const std::string model = only_model(obstacles);
  size_t op = 8, why = 3;
  for (const ObstacleGroup& group : groups) {
    op = std::max(op, group.op.size());
    why = std::max(why, std::min(group.why.size(), kReasonColumnsMax));
  }
  constexpr size_t kCount = 6;
  std::string text = (model.empty() ? "" : model + ": ") + std::to_string(obstacles.size()) +
                     " obstacles\n" + right("count", kCount) + "  " + padded("operator", op) +
                     "  " + padded("why", why) + "  first";
  for (const ObstacleGroup& group : groups) {
    text += "\n" + right(std::to_string(group.count), kCount) + "  " + padded(group.op, op) + "  " +
            padded(group.why, why) + "  " +
            (model.empty() && !group.model.empty() ? group.model + ": " : "") + group.first_node;
    if (!group.instead.empty()) {
      text += "\n" + std::string(kCount + 2 + op + 2, ' ') + "instead: " + group.instead;
    }
  }
  return text;
}

std::string message(std::span<const Obstacle> obstacles) {
  if (obstacles.empty()) throw std::logic_error("no obstacle");
  if (obstacles.size() > 1) return table(obstacles);
  const Obstacle& one = obstacles.front();
  const std::string text = one.instead.empty() ? one.text : one.text + "; instead: " + one.instead;
  return one.model.empty() ? text : one.model + ": " + text;
}

}  // namespace

std::vector<ObstacleGroup> grouped(std::span<const Obstacle> obstacles) {
  std::vector<ObstacleGroup> groups;
  std::vector<std::string> reasons;
  for (const Obstacle& obstacle : obstacles) {
    // Advice differs if it names an input to give.
    const std::string reason =
        without_particulars(obstacle.why) + "\n" + without_particulars(obstacle.instead);
    size_t at = 0;
    while (at < groups.size() && (groups[at].op != obstacle.op || reasons[at] != reason)) ++at;
    if (at == groups.size()) {
      groups.push_back(
          {obstacle.op, 0, obstacle.node, obstacle.why, obstacle.model, obstacle.instead});
      reasons.push_back(reason);
    }
    ++groups[at].count;
  }
  return groups;
}

ObstaclesError::ObstaclesError(std::vector<Obstacle> met)
    : UnsupportedError(message(met)), obstacles(std::move(met)) {}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
