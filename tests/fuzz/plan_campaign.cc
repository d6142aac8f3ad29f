// Damages one of the models, plans it, and counts what becomes of it.
#include "tests/fuzz/plan_campaign.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "planner/plan.h"

namespace arenite::fuzz {

Bytes read(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(stream), {}};
  Bytes bytes(text.size());
  if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

int run(const PlanCampaign& campaign, const Options& options) {
  if (campaign.models.empty()) {
    std::fprintf(stderr, "fuzz: no models found\n");
    return 1;
  }
  planner::PlanOptions plan;
  plan.boards = {planner::find_board("host")};
  uint64_t planned = 0, refused = 0;
  CostMeter cost({.peak_bytes = uint64_t{1400} << 20,
                  .allocated_bytes = uint64_t{4} << 30,
                  .allocations = 4000000});
  for (uint64_t i = options.first; i < options.count; ++i) {
    Random random(options.seed * 1000003 + i);
    const Seed& model = campaign.models[random.below(campaign.models.size())];
    planner::ModelFile file;
    file.method = "main";
    file.bytes = model.bytes;
    file.import = campaign.import;
    campaign.damage(file.bytes, random);
    cost.start(model.name + " #" + std::to_string(i));
    try {
      (void)planner::plan_models({file}, plan);
      ++planned;
    } catch (const std::logic_error& error) {
      std::fprintf(stderr, "fuzz: %s #%llu: a mistake of ours: %s\n", model.name.c_str(),
                   static_cast<unsigned long long>(i), error.what());
      return 1;
    } catch (const std::runtime_error& error) {
      if (std::strlen(error.what()) == 0) return 1;
      ++refused;
      if (campaign.refused) campaign.refused(error.what());
    }
    cost.stop();
  }
  std::printf(
      "%s campaign: %llu files, seed %llu, %llu planned, %llu refused with a message%s; %s\n",
      campaign.name.c_str(), static_cast<unsigned long long>(options.count),
      static_cast<unsigned long long>(options.seed), static_cast<unsigned long long>(planned),
      static_cast<unsigned long long>(refused), campaign.summary ? campaign.summary().c_str() : "",
      cost.highest().c_str());
  return 0;
}

}  // namespace arenite::fuzz
// SPDX-License-Identifier: Apache-2.0
