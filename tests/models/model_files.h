// The real models the planner must get right, with their stored inputs and outputs.
#pragma once

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/step.h"
#include "planner/plan.h"

namespace arenite::test {

struct Model {
  const char* name;
  uint32_t inputs, outputs;
  std::map<std::string, std::vector<uint32_t>> shapes;
};
void PrintTo(const Model& model, std::ostream* out);

std::vector<Model> all_models();

// A model with its files read; nothing where they are absent.
struct LoadedModel {
  planner::ModelFile file;
  std::vector<std::vector<std::byte>> inputs, outputs;
};
std::optional<LoadedModel> load_model(const Model& model);

std::vector<float> floats(std::span<const std::byte> bytes);

// Largest difference over largest reference; infinite where something is no number.
double relative_difference(const std::vector<float>& got, const std::vector<float>& expected);

// Expects that difference to be at most `tolerance`. Classes lie along the last dim larger than 1:
// where the two largest are further apart than twice the tolerance, the same one must be the
// largest. Returns the difference.
double expect_close(const std::vector<float>& got, const std::vector<float>& expected,
                    const Tensor& tensor, double tolerance);

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
