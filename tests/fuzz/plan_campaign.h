// A campaign over damaged models: each must give a program or an error with a text.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "planner/import/import.h"
#include "tests/fuzz/campaign.h"

namespace arenite::fuzz {

struct Seed {
  std::string name;
  Bytes bytes;
};

Bytes read(const std::filesystem::path& path);

struct PlanCampaign {
  std::string name;  // "onnx": of its summary
  std::vector<Seed> models;
  planner::ImportOptions import;
  std::function<void(Bytes& bytes, Random& random)> damage;
  // Further words of the summary, from the errors' texts in their order; may be left out.
  std::function<void(const char* error)> refused = {};
  std::function<std::string()> summary = {};
};

// The exit status of the process. Ends it where a file takes too long.
int run(const PlanCampaign& campaign, const Options& options);

}  // namespace arenite::fuzz
// SPDX-License-Identifier: Apache-2.0
