// Obstacles between a model and a plan: everything in the model that Arenite does not support.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "planner/graph/graph.h"

namespace arenite::planner {

struct Obstacle {
  std::string op;          // "Tanh", "com.example.Fancy"; "opset", "input", "initializer", "output"
  std::string node;        // its name, or operator and index where it has none; the input's name...
  std::string why;         // "operator is not supported"
  std::string text;        // all of it in one sentence
  std::string model = {};  // where several are planned
  std::string instead = {};  // the nearest thing that would work; "" where there is none to name
};

// Obstacles of one operator for one reason, which may name different operands.
struct ObstacleGroup {
  std::string op;
  uint32_t count = 0;
  std::string first_node, why, model, instead;
};

// In the order in which they are met first.
std::vector<ObstacleGroup> grouped(std::span<const Obstacle> obstacles);

// All that a model, or several, ask for and cannot have. The message is a sentence, or a table when
// there are several obstacles.
struct ObstaclesError : UnsupportedError {
  explicit ObstaclesError(std::vector<Obstacle> met);
  std::vector<Obstacle> obstacles;  // at least one
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
