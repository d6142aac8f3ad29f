// The instance that users see: loading, running, and that having one asks for nothing.
#include "core/model.h"

#include <gtest/gtest.h>

#include <bit>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

#include "core/instance.h"
#include "core/interface.h"
#include "portable_fallback/forms.h"
#include "tests/core/sample_programs.h"
#include "tests/core/test_forms.h"
#include "tests/core/test_machine.h"

namespace arenite::tests {
namespace {

// May be static: neither start-up code nor exit handlers are needed.
[[maybe_unused]] constinit ModelInstance static_model;
[[maybe_unused]] constinit Instance static_instance;
static_assert(std::is_trivially_destructible_v<ModelInstance>);
static_assert(std::is_trivially_destructible_v<Instance>);

// The CPU variant of "scale" in memory of its own.
struct Scale {
  Scale() : file(aligned_copy(sample_builder().file())) {
    Program program;
    EXPECT_TRUE(Program::open(file.bytes(), program).ok());
    const auto& variant = program.variants()[1];
    for (const format::ArenaRecord& arena : program.arenas_of(variant)) {
      blocks.emplace_back(arena.bytes, arena.alignment);
      arenas.push_back(blocks.back().bytes());
    }
    interface = interface_digest(program, program.methods()[kScale], variant);
    options.method = kScale;
    options.variant = 1;
    options.ops = test_forms();
    options.arenas = arenas;
    options.section_addresses = section_addresses;
    options.arena_addresses = arena_addresses;
  }
  Scale(const Scale&) = delete;

  Block file;
  std::vector<Block> blocks;
  std::vector<std::span<std::byte>> arenas;
  const std::byte* section_addresses[kMaxSections] = {};
  std::byte* arena_addresses[kMaxArenas] = {};
  LoadOptions options;
  uint32_t interface = 0;
};

void set_input(ModelInstance& model, float number) {
  auto* x = static_cast<float*>(model.input(0));
  for (int i = 0; i < 8; ++i) x[i] = number;
}

std::vector<float> run_with(ModelInstance& model, float number) {
  set_input(model, number);
  EXPECT_TRUE(model.run().ok());
  const auto* y = static_cast<const float*>(model.output(0));
  return {y, y + 8};
}

TEST(ModelInstance, RunsAgainAndAgain) {
  const Scale scale;
  ModelInstance model;
  EXPECT_FALSE(model.loaded());
  for (int load = 0; load < 2; ++load) {
    ASSERT_TRUE(load_model(model, scale.file.bytes(), scale.options, scale.interface).ok());
    EXPECT_TRUE(model.loaded());
    for (const float first : {0.0f, 3.0f}) {
      const std::vector<float> y = run_with(model, first);
      for (size_t i = 0; i < y.size(); ++i) {
        const float sum = first + static_cast<float>(i + 1);
        EXPECT_EQ(y[i], 2 * sum * sum);
      }
    }
  }
}

// A program that needs more addresses than the image has room for is refused.
TEST(ModelInstance, NeedsRoomForAddresses) {
  const Scale scale;
  ModelInstance model;
  LoadOptions options = scale.options;
  options.arena_addresses = options.arena_addresses.first(scale.arenas.size() - 1);
  EXPECT_EQ(load_model(model, scale.file.bytes(), options, scale.interface).code,
            Code::kArenaTooSmall);
  options = scale.options;
  options.section_addresses = {};
  EXPECT_EQ(load_model(model, scale.file.bytes(), options, scale.interface).code,
            Code::kArenaTooSmall);
  EXPECT_FALSE(model.loaded());
}

TEST(ModelInstance, RunsInPieces) {
  const Scale scale;
  ModelInstance model;
  ASSERT_TRUE(load_model(model, scale.file.bytes(), scale.options, scale.interface).ok());
  const std::vector<float> expected = run_with(model, 1);
  set_input(model, 1);
  int calls = 0;
  for (bool done = false; !done; ++calls) ASSERT_TRUE(model.run_steps(1, done).ok());
  EXPECT_GT(calls, 1);
  const auto* y = static_cast<const float*>(model.output(0));
  EXPECT_EQ(std::vector<float>(y, y + 8), expected);
}

// The interface needs no constructor because an empty one is zeros.
TEST(ModelInstance, AnEmptyOneIsZeroBytes) {
  alignas(8) std::byte bytes[sizeof(Program) + sizeof(Instance)] = {};
  new (bytes) Program;
  new (bytes + sizeof(Program)) Instance;
  for (const std::byte byte : bytes) EXPECT_EQ(byte, std::byte{0});
}

TEST(ModelInstance, DimsAreSetByAnInput) {
  const Block file = aligned_copy(planner::write_program(symbolic_rows()));
  Program program;
  ASSERT_TRUE(Program::open(file.bytes(), program).ok());
  const Block arena(program.arenas()[0].bytes, 16);
  const std::span<std::byte> arenas[] = {arena.bytes()};
  std::vector<uint32_t> frame(frame_words(program, 0));
  const std::byte* section_addresses[kMaxSections] = {};
  std::byte* arena_addresses[1] = {};
  LoadOptions options;
  options.section_addresses = section_addresses;
  options.arena_addresses = arena_addresses;
  options.ops = all_ops();
  options.arenas = arenas;
  options.symbols = &kSymbols;
  options.frame = frame;
  const uint32_t interface = interface_digest(program, program.methods()[0], program.variants()[0]);
  ModelInstance model;
  const std::uint32_t dims[] = {2, 3};
  EXPECT_EQ(set_shape(model, 0, dims, 2).code, Code::kNotLoaded);
  EXPECT_EQ(model.input_dims(0), nullptr);
  ASSERT_TRUE(load_model(model, file.bytes(), options, interface).ok());
  EXPECT_EQ(model.input_dims(0)[0], Rows::kRowsMost);
  ASSERT_TRUE(set_shape(model, 0, dims, 2).ok());
  EXPECT_EQ(model.input_dims(0)[0], 2u);
  EXPECT_EQ(model.output_dims(0)[0], 4u);
  EXPECT_EQ(model.output_dims(0)[1], 3u);
  EXPECT_EQ(model.input_dims(1), nullptr);
  EXPECT_EQ(model.output_dims(3), nullptr);
  auto* x = static_cast<float*>(model.input(0));
  for (int i = 0; i < 6; ++i) x[i] = static_cast<float>(i);
  ASSERT_TRUE(model.run().ok());
  const auto* y = static_cast<const float*>(model.output(0));
  EXPECT_EQ(std::vector<float>(y, y + 12),
            (std::vector<float>{10, 21, 32, 13, 24, 35, 0, 2, 4, 6, 8, 10}));
  const std::uint32_t too_many[] = {Rows::kRowsMost + 1, 3};
  EXPECT_EQ(set_shape(model, 0, too_many, 2).code, Code::kSymbolOutOfRange);
  EXPECT_EQ(model.input_dims(0)[0], 2u);
}

TEST(ModelInstance, NothingLoadedIsAnError) {
  ModelInstance model;
  bool done = true;
  EXPECT_EQ(model.run().code, Code::kNotLoaded);
  EXPECT_EQ(model.run_steps(1, done).code, Code::kNotLoaded);
  EXPECT_FALSE(done);
  EXPECT_EQ(model.bind_input(0, nullptr, 0).code, Code::kNotLoaded);
  EXPECT_EQ(model.bind_output(0, nullptr, 0).code, Code::kNotLoaded);
  EXPECT_EQ(model.input(0), nullptr);
  EXPECT_EQ(model.output(0), nullptr);
}

TEST(ModelInstance, AFailedLoadLeavesItEmpty) {
  const Scale scale;
  ModelInstance model;
  ASSERT_TRUE(load_model(model, scale.file.bytes(), scale.options, scale.interface).ok());
  LoadOptions options = scale.options;
  options.ops = {};
  EXPECT_EQ(load_model(model, scale.file.bytes(), options, scale.interface).code, Code::kNoForm);
  EXPECT_FALSE(model.loaded());
  EXPECT_EQ(model.run().code, Code::kNotLoaded);
  ASSERT_TRUE(load_model(model, scale.file.bytes(), scale.options, scale.interface).ok());
  EXPECT_EQ(load_model(model, scale.file.bytes().first(100), scale.options, scale.interface).code,
            Code::kTruncated);
  EXPECT_FALSE(model.loaded());
}

// The sample's programs are believed or proved: what they promise is compared either way.
TEST(ModelInstance, OtherInputsAndOutputsAreRefused) {
  const Scale scale;
  for (const Verification* verification :
       {&kVerification, static_cast<const Verification*>(nullptr)}) {
    LoadOptions options = scale.options;
    options.verification = verification;
    ModelInstance model;
    EXPECT_TRUE(load_model(model, scale.file.bytes(), options, scale.interface).ok());
    EXPECT_EQ(load_model(model, scale.file.bytes(), options, scale.interface + 1).code,
              Code::kWrongInterface);
    EXPECT_FALSE(model.loaded());
    options.method = kTwice;
    EXPECT_EQ(load_model(model, scale.file.bytes(), options, scale.interface).code,
              Code::kNoUsableVariant);
    options.variant = 0;
    EXPECT_EQ(load_model(model, scale.file.bytes(), options, scale.interface).code,
              Code::kWrongInterface);
    options.method = 2;
    EXPECT_EQ(load_model(model, scale.file.bytes(), options, scale.interface).code,
              Code::kNoSuchMethod);
  }
}

TEST(ModelInstance, ArenasThatAreNoMemoryAreRefused) {
  Scale scale;
  ModelInstance model;
  scale.arenas[0] = {static_cast<std::byte*>(nullptr), scale.arenas[0].size()};
  scale.options.arenas = scale.arenas;
  const Status status = load_model(model, scale.file.bytes(), scale.options, scale.interface);
  EXPECT_EQ(status.code, Code::kArenaMissing);
  EXPECT_EQ(status.value, 0u);
}

TEST(ModelInstance, VerifiesConstantsInPieces) {
  const Scale scale;
  ModelInstance model;
  bool done = true;
  EXPECT_EQ(verify_constants(model, 4, done).code, Code::kNotLoaded);
  EXPECT_FALSE(done);
  ASSERT_TRUE(load_model(model, scale.file.bytes(), scale.options, scale.interface).ok());
  // 8 words of constants; and again, from the start.
  for (int round = 0; round < 2; ++round) {
    for (int call = 1; call <= 8; ++call) {
      ASSERT_TRUE(verify_constants(model, 4, done).ok());
      EXPECT_EQ(done, call == 8);
    }
  }
  ASSERT_TRUE(verify_constants(model, 4, done).ok());
  std::byte& last = scale.file.bytes().back();
  last ^= std::byte{1};
  EXPECT_EQ(verify_constants(model, 1000, done).code, Code::kBadChecksum);
  EXPECT_FALSE(done);
  last ^= std::byte{1};
  ASSERT_TRUE(verify_constants(model, 1000, done).ok());
  EXPECT_TRUE(done);
}

TEST(ModelInstance, SaysWhatIsLoaded) {
  planner::ProgramTables tables = sample_builder().tables();
  tables.quantization.push_back({kScale, 1, std::bit_cast<uint32_t>(0.25f), -3});
  const Block file = aligned_copy(planner::write_program(tables));
  const Scale scale;
  ModelInstance model;
  EXPECT_EQ(model.program_digest(), 0u);
  EXPECT_EQ(model.output_quantisation(0).scale, 0);
  ASSERT_TRUE(load_model(model, file.bytes(), scale.options, scale.interface).ok());
  Program program;
  ASSERT_TRUE(Program::open(file.bytes(), program).ok());
  EXPECT_EQ(model.program_digest(), program.digest());
  EXPECT_NE(model.program_digest(), 0u);
  EXPECT_EQ(model.input_quantisation(0).scale, 0);
  EXPECT_EQ(model.output_quantisation(0).scale, 0.25f);
  EXPECT_EQ(model.output_quantisation(0).zero_point, -3);
  EXPECT_EQ(model.output_quantisation(1).scale, 0);
  EXPECT_EQ(model.input_quantisation(1).scale, 0);
}

TEST(Status, EachCodeHasAText) {
  const std::string unknown = text_of(static_cast<Code>(9999));
  for (uint32_t code = 0; code <= static_cast<uint32_t>(Code::kUnsupported); ++code) {
    EXPECT_NE(text_of(static_cast<Code>(code)), unknown) << code;
  }
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
