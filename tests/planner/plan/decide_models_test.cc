// Decisions for real models with random costs: never dearer than the rule without costs.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "kernels/dispatch/dispatch.h"
#include "planner/import/import.h"
#include "planner/passes/passes.h"
#include "planner/steps/decide/decide.h"
#include "portable_fallback/form_names.h"
#include "portable_fallback/forms.h"
#include "support/file.h"

namespace arenite::test {
namespace {

namespace fs = std::filesystem;

// Costs of all forms and operators' shaders, and of transfers from cheap to dear.
planner::StepCosts random_costs(uint32_t seed) {
  std::mt19937 random(seed);
  planner::StepCosts costs;
  for (const FormNames& form : form_names()) {
    const std::string key = form.key;
    costs.forms[key] = {double(1 + random() % 1000), double(random() % 1'000'000)};
    costs.forms[key.substr(0, key.find('.')) + ".vulkan"] = {double(1 + random() % 1000),
                                                             double(random() % 10'000'000)};
  }
  costs.transfer = {double(random() % 1000), double(random() % 100'000'000)};
  return costs;
}

TEST(DecideModels, NeverCostMoreThanTheRuleWithoutCosts) {
  const planner::Board host = planner::find_board("host");
  const fs::path models = fs::path(ARENITE_SHARED_DIR) / "models";
  if (!fs::is_directory(models)) GTEST_SKIP() << "no models in " << models;
  uint32_t decided = 0, better = 0;
  for (const char* name :
       {"onnx_tv_mobilenet_v3_small", "onnx_light_squeezenet", "onnx_gtcrn_stream",
        "tfl_mlperf_kws_int8", "onnx_cct2", "tfl_mp_hand_lite"}) {
    for (const char* file : {"model.onnx", "model.tflite"}) {
      const fs::path path = models / name / file;
      if (!fs::exists(path)) continue;
      for (planner::ImportedMethod& method : planner::import_model(read_file(path.string()), {})) {
        planner::optimize(method.graph);
        planner::Target target = planner::cpu_target(host, {.ops = all_ops()});
        target.shaders = [&](const Step& step) {
          return plan_dispatches(step, *planner::vulkan_of(host)).has_value();
        };
        const planner::LaidGraph laid = planner::lay_out(method.graph, target.forms);
        for (uint32_t seed = 1; seed <= 4; ++seed) {
          const planner::StepCosts costs = random_costs(seed);
          target.costs = &costs;
          planner::ConstantPool pool;
          const planner::Decided found = planner::decide(method.graph, laid, target, pool);
          EXPECT_LE(found.cost, found.rule_cost) << path << ", seed " << seed;
          ++decided;
          better += found.cost < found.rule_cost ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(decided, 0u);
  EXPECT_GT(better, 0u) << "random costs should make another choice worth while somewhere";
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
