// Programs of a released format load and run, and give what they gave when they were frozen.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/sections.h"
#include "support/file.h"
#include "tests/ops/numbers.h"
#include "tests/planner/plan/run_program.h"
#include "tests/planner/plan/vulkan_run.h"

namespace arenite::test {
namespace {

using format::SectionKind;
using ops_test::Numbers;

constexpr double kTolerance = 1e-4;

std::string name_of(const Program& program, uint32_t method) {
  const format::MethodRecord& record = program.methods()[method];
  return std::string(program.string(record.name_offset, record.name_bytes));
}

// A model's inputs, or expected outputs.
using Tensors = std::vector<std::vector<std::byte>>;

Tensors inputs_of(const Program& program, uint32_t method, uint32_t vector) {
  Tensors tensors;
  for (uint32_t i = 0; i < program.methods()[method].input_count; ++i) {
    const auto bytes =
        test_vector_input(program.section(SectionKind::kTestVectors), method, vector, i);
    tensors.emplace_back(bytes.value().begin(), bytes.value().end());
  }
  return tensors;
}

Numbers numbers_of(DType type, std::span<const std::byte> bytes) {
  Numbers numbers{type, {static_cast<uint32_t>(bytes.size() / element_bytes(type))}, {}};
  for (size_t i = 0; i < bytes.size(); i += element_bytes(type)) {
    numbers.values.push_back(ops_test::decode(type, bytes.data() + i));
  }
  return numbers;
}

void expect_outputs(const Program& program, uint32_t method, uint32_t variant, uint32_t vector,
                    const Tensors& outputs) {
  const format::MethodRecord& record = program.methods()[method];
  ASSERT_EQ(outputs.size(), record.output_count);
  const format::VariantRecord& planned = program.variants()[record.variant_first + variant];
  for (uint32_t i = 0; i < record.output_count; ++i) {
    const uint32_t value = program.io()[planned.io_first + record.input_count + i];
    const auto type = static_cast<DType>(program.values()[planned.value_first + value].dtype);
    const auto expected =
        test_vector_output(program.section(SectionKind::kTestVectors), method, vector, i);
    ASSERT_TRUE(expected.has_value());
    const double tolerance = ops_test::is_float(type) ? kTolerance : 0;
    EXPECT_EQ(
        ops_test::difference(numbers_of(type, outputs[i]), numbers_of(type, *expected), tolerance),
        "")
        << "output " << i;
  }
}

bool is_vulkan(const Program& program, const format::VariantRecord& variant) {
  for (const format::ArenaRecord& arena : program.arenas_of(variant)) {
    if (format::is_device_arena(static_cast<format::ArenaKind>(arena.kind))) return true;
  }
  return false;
}

class Frozen : public testing::TestWithParam<const char*> {
 protected:
  Frozen() : program_(read_file(std::filesystem::path(ARENITE_FROZEN_DIR) / GetParam())) {}

  // Runs all test vectors of the variants on Vulkan, or of the others; gives how many there were.
  uint32_t run_all(bool vulkan) {
    uint32_t ran = 0;
    const Program& program = *program_;
    for (uint32_t m = 0; m < program.methods().size(); ++m) {
      const format::MethodRecord& method = program.methods()[m];
      const uint32_t vectors = test_vector_count(program.section(SectionKind::kTestVectors), m);
      EXPECT_GT(vectors, 0u) << name_of(program, m);
      for (uint32_t v = 0; v < method.variant_count; ++v) {
        if (is_vulkan(program, program.variants()[method.variant_first + v]) != vulkan) continue;
        for (uint32_t i = 0; i < vectors; ++i, ++ran) {
          SCOPED_TRACE(name_of(program, m) + ", variant " + std::to_string(v) + ", vector " +
                       std::to_string(i));
          const Tensors inputs = inputs_of(program, m, i);
          RunRequest request;
          request.method = m;
          request.variant = v;
          expect_outputs(
              program, m, v, i,
              vulkan ? device_.run(program, m, v, inputs) : run(program, request, inputs));
        }
      }
    }
    return ran;
  }

  OpenProgram program_;
  VulkanRun device_;
};

TEST_P(Frozen, RunsOnTheCpu) { EXPECT_GT(run_all(false), 0u); }

TEST_P(Frozen, RunsOnVulkan) {
  if (!device_.ready()) GTEST_SKIP() << "no Vulkan device";
  const bool planned_for_it =
      GetParam() != std::string("state.arn") && GetParam() != std::string("sizes.arn");
  EXPECT_EQ(run_all(true) != 0, planned_for_it);
  EXPECT_EQ(device_.validation_messages(), 0u);
}

TEST_P(Frozen, HasWholeConstants) {
  ConstantsCursor cursor;
  EXPECT_TRUE(program_->verify_constants(kNoIndex, cursor).ok());
}

// The first rows of a batch are those of a smaller one.
TEST(FrozenSizes, EachBatchIsTheBeginOfTheMost) {
  const OpenProgram program(read_file(std::filesystem::path(ARENITE_FROZEN_DIR) / "sizes.arn"));
  const std::vector<std::byte> images = inputs_of(*program, 0, 0).at(0);
  const auto logits = test_vector_output(program->section(SectionKind::kTestVectors), 0, 0, 0);
  ASSERT_TRUE(logits.has_value());
  for (const uint32_t batch : {1u, 2u, 3u, 4u}) {
    RunRequest request;
    request.symbols = {batch};
    const auto rows = static_cast<std::ptrdiff_t>(images.size() / 4 * batch);
    const Tensors outputs =
        run(*program, request, Tensors{{images.begin(), images.begin() + rows}});
    ASSERT_EQ(outputs.size(), 1u);
    const auto expected = logits->first(logits->size() / 4 * batch);
    EXPECT_EQ(ops_test::difference(numbers_of(DType::kFloat32, outputs[0]),
                                   numbers_of(DType::kFloat32, expected), kTolerance),
              "")
        << "batch " << batch;
  }
}

INSTANTIATE_TEST_SUITE_P(Format2, Frozen,
                         testing::Values("digits.arn", "operators.arn", "state.arn", "choice.arn",
                                         "cuts.arn", "sizes.arn"),
                         [](const testing::TestParamInfo<const char*>& file) {
                           return std::filesystem::path(file.param).stem().string();
                         });

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
