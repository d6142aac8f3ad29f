// Tests what import may compute ahead: limits by size, and the refusals of models that ask for
// more.
#include "planner/graph/folding_budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/errors.h"
#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr uint64_t kMiB = uint64_t{1} << 20;

TEST(FoldingBudget, FollowsFromTheFileAndItsInputs) {
  FoldingBudget budget;
  const uint64_t bytes = budget.bytes_max(), work = budget.work_max();
  budget.set_file_bytes(100 * kMiB);
  EXPECT_EQ(budget.bytes_max(), bytes + 800 * kMiB);
  EXPECT_EQ(budget.work_max(), work + 1600 * kMiB);
  budget.add_input_bytes(kMiB);
  EXPECT_EQ(budget.bytes_max(), bytes + 808 * kMiB);
  // A damaged shape gives no more than this.
  budget.add_input_bytes(UINT64_MAX);
  budget.add_input_bytes(UINT64_MAX);
  EXPECT_EQ(budget.bytes_max(), bytes + 928 * kMiB);
}

TEST(FoldingBudget, CountsToItsLimitsAndNoFurther) {
  FoldingBudget budget;
  budget.count_bytes(budget.bytes_max() - 16);
  budget.check_room({4, 4});
  budget.check_room({0, UINT64_MAX});
  EXPECT_THROW(budget.check_room({17}), InputError);
  EXPECT_THROW(budget.check_room({UINT64_MAX, UINT64_MAX, 2}), InputError);
  EXPECT_THROW(budget.count_bytes(UINT64_MAX), InputError);
  budget.count_bytes(16);
  EXPECT_THROW(budget.count_bytes(1), InputError);
  budget.count_work(budget.work_max());
  EXPECT_THROW(budget.count_work(1), InputError);
  EXPECT_THROW(budget.count_work(UINT64_MAX), InputError);
}

// Each names its node, what it takes and what is allowed, before any memory is taken.
TEST(FoldingBudget, RefusesConstantsThatNumbersInTheFileMakeLarge) {
  const auto refused = [](const ModelBuilder& model) {
    EXPECT_THAT(import_error(model), AllOf(HasSubstr("node 'n'"), HasSubstr("too large to compute"),
                                           HasSubstr("expected at most"), HasSubstr("MiB")));
  };
  ModelBuilder window(17);
  window.initializer("size", int64_tensor({}, {1 << 24})).input("x", {"1"});
  window.node("HannWindow", {"size"}, {"w"}).node("Add", {"w", "x"}, {"y"}).output("y");
  EXPECT_EQ(import_error(window), "");
  ModelBuilder range(17);
  range.initializer("from", int64_tensor({}, {0})).initializer("to", int64_tensor({}, {1 << 27}));
  range.initializer("step", int64_tensor({}, {1}));
  refused(range.node("Range", {"from", "to", "step"}, {"y"}).output("y", DType::kInt64));
  ModelBuilder eye(17);
  eye.input("x", {"20000", "20000"}).node("EyeLike", {"x"}, {"y"}).output("y");
  refused(eye);
  ModelBuilder resize(13);
  resize.input("x", {"1", "1", "1"});
  resize.initializer("sizes", int64_tensor({3}, {1, 1, 2000000000}));
  refused(resize.node("Resize", {"x", "", "", "sizes"}, {"y"}).output("y"));
  ModelBuilder blocks(18);
  blocks.input("x", {"1", "1048576", "400"});
  blocks.initializer("image", int64_tensor({2}, {1423, 1024}));
  blocks.initializer("block", int64_tensor({2}, {1024, 1024}));
  refused(blocks.node("Col2Im", {"x", "image", "block"}, {"y"}).output("y"));
  ModelBuilder hardmax(13);
  hardmax.input("x", {"2", "260000000"}).node("Hardmax", {"x"}, {"y"}).output("y");
  refused(hardmax);
  ModelBuilder mask(9);
  mask.input("x", {"1000000000"}, DType::kFloat16).node("Dropout", {"x"}, {"y", "m"}).output("y");
  refused(mask.output("m"));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
