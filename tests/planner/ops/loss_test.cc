// Tests importing the losses: ignored classes, weights, reductions, targets that are no class.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

using ::testing::ElementsAre;

// x [2, 3], the logarithms of shares; `weighed` by 1, 10, 100.
std::vector<float> loss(const std::vector<int64_t>& target,
                        const std::function<void(ModelBuilder&)>& change, bool weighed = false) {
  ModelBuilder model(13);
  model.input("x", {"2", "3"}).input("t", {"2"}, DType::kInt64);
  if (weighed) model.initialiser("w", float_tensor({3}, {1, 10, 100}));
  std::vector<std::string> inputs = {"x", "t"};
  if (weighed) inputs.emplace_back("w");
  change(model.node("NegativeLogLikelihoodLoss", inputs, {"y"}).output("y"));
  return run_floats(model,
                    {float_tensor({2, 3}, {-1, -2, -3, -4, -5, -6}), int64_tensor({2}, target)});
}

void each(ModelBuilder& model) { model.with("reduction", "none"); }

TEST(LossImport, LooksUpTheTargetsClass) {
  EXPECT_THAT(loss({2, 0}, each), ElementsAre(3, 4));
  EXPECT_THAT(loss({2, 0}, each, true), ElementsAre(300, 4));
  EXPECT_THAT(loss({2, 0}, [](ModelBuilder& m) { m.with("reduction", "sum"); }), ElementsAre(7));
  EXPECT_THAT(loss({2, 1}, [](ModelBuilder&) {}), ElementsAre(4));
  EXPECT_THAT(loss(
                  {1, 0}, [](ModelBuilder&) {}, true),
              ElementsAre((20.0f + 4.0f) / 11.0f));
}

// Whether the ignored number is a class or none.
TEST(LossImport, IgnoredTargetsCountForNothing) {
  for (const int64_t ignored : {int64_t{1}, int64_t{-100}, int64_t{7}}) {
    const auto with = [&](const char* reduction) {
      return loss({ignored, 2}, [&](ModelBuilder& m) {
        m.with("ignore_index", ignored).with("reduction", reduction);
      });
    };
    EXPECT_THAT(with("none"), ElementsAre(0, 6)) << ignored;
    EXPECT_THAT(with("mean"), ElementsAre(6)) << ignored;
  }
}

TEST(LossImport, TargetsThatAreNoClassAreErrors) {
  for (const int64_t target : {3, -1, 1000}) {
    EXPECT_THROW(loss({0, target}, each), InputError) << target;
    EXPECT_THROW(loss({0, target}, [](ModelBuilder& m) { m.with("ignore_index", 5); }), InputError)
        << target;
  }
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
