// The header of a firmware meets other programs than the one that it was written of: damaged ones,
// ones of other networks, and its own network trained anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/interface.h"
#include "core/model.h"
#include "planner/plan.h"
#include "portable_fallback/forms.h"
#include "support/cpu_features.h"
#include "support/random.h"
#include "tests/planner/plan/graph_builder.h"
#include "tests/planner/plan/run_program.h"

namespace arenite::test {
namespace {

using Bytes = std::vector<std::byte>;

// A network of one kind: each output is clip(min(max(x W1, 0), 6) W2), or x + x of integers.
struct Network {
  uint32_t inputs = 1, outputs = 1;
  uint32_t rows = 2, depth = 24, hidden = 32, width = 10;
  DType dtype = DType::kFloat32;
  bool lent = false;  // inputs and outputs lie in the caller's memory
  uint32_t methods = 1;
  std::string name = "main";
  uint32_t trained = 1;  // the seed of its weights
};

Graph graph_of(const Network& network) {
  GraphBuilder b;
  std::vector<ValueId> results;
  for (uint32_t i = 0; i < network.inputs; ++i) {
    const uint32_t depth = network.depth + i;
    const ValueId x = b.input({network.rows, depth}, network.dtype);
    if (network.dtype != DType::kFloat32) {
      results.push_back(b.add(x, x));
      b.graph().values[results.back()].dtype = network.dtype;
      continue;
    }
    const ValueId first = b.constant({depth, network.hidden}, network.trained);
    const ValueId hidden = b.clip(b.matmul(x, first, {network.rows, network.hidden}), 0, 6);
    const ValueId second = b.constant({network.hidden, network.width}, network.trained + 1);
    results.push_back(b.matmul(hidden, second, {network.rows, network.width}));
  }
  for (uint32_t i = 0; i < network.outputs; ++i) {
    const ValueId from = results[i % results.size()];
    const auto limit = static_cast<float>(i + 1);
    b.output(network.dtype == DType::kFloat32 ? b.clip(from, -limit, limit) : from);
    if (network.dtype != DType::kFloat32) break;
  }
  return b.graph();
}

Bytes program_of(const Network& network) {
  planner::PlanOptions options;
  options.boards.push_back(planner::find_board("mps3-an547"));
  options.caller_io = network.lent;
  std::vector<planner::NamedGraph> graphs;
  for (uint32_t m = 0; m < network.methods; ++m) {
    graphs.push_back({m == 0 ? network.name : "method" + std::to_string(m), graph_of(network), {}});
  }
  return planner::plan_graphs(graphs, options).program;
}

// The files that `arenite plan --emit-cc` writes: the interface, and arenas of exactly the size.
class Firmware {
 public:
  explicit Firmware(const Bytes& file) : own_(file) {
    const format::MethodRecord& method = own_->methods()[0];
    options_.variant = method.variant_count - 1;
    const format::VariantRecord& variant =
        own_->variants()[method.variant_first + options_.variant];
    interface_ = interface_digest(*own_, method, variant);
    for (const format::ArenaRecord& arena : own_->arenas_of(variant)) {
      const bool lent = arena.kind == static_cast<uint32_t>(format::ArenaKind::kCaller);
      memory_.emplace_back(lent ? 0 : arena.bytes);
      arenas_.push_back(lent ? std::span<std::byte>() : memory_.back().bytes());
    }
    options_.arenas = arenas_;
    options_.ops = all_ops();
    options_.features = kEmulatedCpuFeatures;
    options_.states = &kStates;
  }

  // Loads a program that stays in memory.
  Status load(std::span<const std::byte> program) {
    options_.section_addresses = section_addresses_;
    options_.arena_addresses = arena_addresses_;
    return load_model(instance, program, options_, interface_);
  }
  std::vector<std::span<std::byte>>& arenas() { return arenas_; }
  uint32_t digest() const { return own_->digest(); }

  ModelInstance instance;

 private:
  OpenProgram own_;
  std::vector<GuardedBytes> memory_;
  std::vector<std::span<std::byte>> arenas_;
  LoadOptions options_;
  const std::byte* section_addresses_[kMaxSections] = {};
  std::byte* arena_addresses_[kMaxArenas] = {};
  uint32_t interface_ = 0;
};

// A copy at a multiple of 64.
GuardedBytes slot(const Bytes& program) {
  GuardedBytes bytes(program.size());
  std::copy(program.begin(), program.end(), bytes.bytes().begin());
  return bytes;
}

// Loads and compares with all checksums, some bytes a call.
Status load_and_verify(Firmware& firmware, std::span<const std::byte> program) {
  ARENITE_TRY(firmware.load(program));
  for (bool done = false; !done;) ARENITE_TRY(verify_constants(firmware.instance, 256, done));
  return ok_status();
}

TEST(ForeignProgram, TheOneItWasWrittenOf) {
  const Bytes program = program_of({});
  Firmware firmware(program);
  const GuardedBytes memory = slot(program);
  EXPECT_TRUE(load_and_verify(firmware, memory.bytes()).ok());
  EXPECT_EQ(firmware.instance.program_digest(), firmware.digest());
}

// The sum of all inputs so far.
TEST(ForeignProgram, StatesAreKeptAndReset) {
  GraphBuilder b;
  const ValueId x = b.input({3}), sum = b.input({3});
  b.output(b.add(x, sum));
  b.graph().states = {{1, 0, nullptr}};
  planner::PlanOptions options;
  options.boards.push_back(planner::find_board("mps3-an547"));
  const Bytes program = planner::plan_graphs({{"main", b.graph(), {}}}, options).program;
  Firmware firmware(program);
  const GuardedBytes memory = slot(program);
  ASSERT_TRUE(firmware.load(memory.bytes()).ok());
  const auto next = [&] {
    auto* elements = static_cast<float*>(firmware.instance.input(0));
    for (int i = 0; i < 3; ++i) elements[i] = static_cast<float>(i);
    EXPECT_TRUE(firmware.instance.run().ok());
    return static_cast<const float*>(firmware.instance.output(0))[2];
  };
  EXPECT_EQ(next(), 2);
  EXPECT_EQ(next(), 4);
  static_cast<float*>(firmware.instance.input(1))[2] = 10;  // brought back after a power cycle
  EXPECT_EQ(next(), 12);
  ASSERT_TRUE(reset_states(firmware.instance).ok());
  EXPECT_EQ(next(), 2);
  ModelInstance empty;
  EXPECT_EQ(reset_states(empty).code, Code::kNotLoaded);
}

uint32_t below(Random& random, uint32_t count) {
  return static_cast<uint32_t>(random.below(count));
}

// One thing about it is another; in the header's place it would be written past an arena.
void change(Network& network, Random& random) {
  switch (below(random, 9)) {
    case 0:
      network.inputs += 1 + below(random, 3);
      break;
    case 1:
      network.outputs += 1 + below(random, 3);
      break;
    case 2:
      network.rows += 1 + below(random, 30);
      break;
    case 3:
      network.depth += 1 + below(random, 30);
      break;
    case 4:
      network.width = below(random, 9) + 1;
      break;
    case 5:
      network.dtype = below(random, 2) == 0 ? DType::kInt32 : DType::kInt64;
      break;
    case 6:
      network.lent = true;
      break;
    case 7:
      network.methods += 1 + below(random, 2);
      break;
    default:
      network.name = "other" + std::to_string(below(random, 100));
  }
}

TEST(ForeignProgram, OfAnotherInterfaceIsRefused) {
  Firmware firmware(program_of({}));
  Random random(20);
  for (int i = 0; i < 70; ++i) {
    SCOPED_TRACE(i);
    Network network;
    change(network, random);
    if (below(random, 2) == 0) network.hidden = 8;  // smaller arenas help nobody
    const Bytes program = program_of(network);
    const GuardedBytes memory = slot(program);
    Firmware its_own(program);
    EXPECT_TRUE(its_own.load(memory.bytes()).ok());
    EXPECT_EQ(firmware.load(memory.bytes()).code, Code::kWrongInterface);
    EXPECT_FALSE(firmware.instance.loaded());
  }
}

TEST(ForeignProgram, OfLargerArenasIsRefused) {
  Firmware firmware(program_of({}));
  for (uint32_t hidden = 48; hidden <= 256; hidden += 16) {
    const Bytes program = program_of({.hidden = hidden});
    const GuardedBytes memory = slot(program);
    EXPECT_EQ(firmware.load(memory.bytes()).code, Code::kArenaTooSmall) << hidden;
  }
}

TEST(ForeignProgram, TrainedAnewIsAcceptedAndRight) {
  Firmware firmware(program_of({}));
  for (uint32_t trained = 2; trained < 12; ++trained) {
    const Network network = {.hidden = trained % 2 == 0 ? 32u : 24u, .trained = trained};
    const Bytes program = program_of(network);
    const GuardedBytes memory = slot(program);
    ASSERT_TRUE(load_and_verify(firmware, memory.bytes()).ok());
    EXPECT_NE(firmware.instance.program_digest(), firmware.digest());
    const auto inputs = test_inputs(graph_of(network), trained);
    std::copy(inputs[0].begin(), inputs[0].end(),
              static_cast<std::byte*>(firmware.instance.input(0)));
    ASSERT_TRUE(firmware.instance.run().ok());
    const OpenProgram open(program);
    const RunRequest request = {.variant = open->methods()[0].variant_count - 1};
    const auto expected = run(*open, request, inputs);
    const auto* found = static_cast<const std::byte*>(firmware.instance.output(0));
    EXPECT_EQ(Bytes(found, found + expected[0].size()), expected[0]);
  }
}

TEST(ForeignProgram, ArenasThatAreNoMemoryAreRefused) {
  const Bytes program = program_of({});
  const GuardedBytes memory = slot(program);
  Firmware firmware(program);
  const std::span<std::byte> own = firmware.arenas()[0];
  firmware.arenas()[0] = {static_cast<std::byte*>(nullptr), own.size()};
  EXPECT_EQ(firmware.load(memory.bytes()).code, Code::kArenaMissing);
  GuardedBytes larger(own.size() + 64);
  for (const size_t by : {1u, 4u, 8u}) {
    firmware.arenas()[0] = larger.bytes().subspan(by, own.size());
    EXPECT_EQ(firmware.load(memory.bytes()).code, Code::kBadAlignment) << by;
  }
  firmware.arenas()[0] = own;
  EXPECT_TRUE(firmware.load(memory.bytes()).ok());
}

// Each byte belongs to something that is compared when it is loaded or verified.
template <typename Damage>
void expect_all_refused(Damage damage) {
  const Bytes program = program_of({});
  Firmware firmware(program);
  Random random(7);
  for (int i = 0; i < 10'000; ++i) {
    Bytes damaged = program;
    damage(damaged, random);
    if (damaged == program) continue;
    const GuardedBytes memory = slot(damaged);
    EXPECT_FALSE(load_and_verify(firmware, memory.bytes()).ok()) << "case " << i;
  }
}

TEST(DamagedProgram, NoFlippedBitIsAccepted) {
  expect_all_refused([](Bytes& bytes, Random& random) {
    const auto bit = below(random, static_cast<uint32_t>(bytes.size()) * 8);
    bytes[bit / 8] ^= std::byte{1} << bit % 8;
  });
}

TEST(DamagedProgram, NoChangedBlockIsAccepted) {
  expect_all_refused([](Bytes& bytes, Random& random) {
    const uint32_t at = below(random, static_cast<uint32_t>(bytes.size()));
    const uint32_t count =
        std::min(1 + below(random, 512), static_cast<uint32_t>(bytes.size()) - at);
    // Erased flash, zeros, or anything.
    const uint32_t kind = below(random, 3);
    for (uint32_t i = at; i < at + count; ++i) {
      bytes[i] =
          kind == 0 ? std::byte{0xff} : static_cast<std::byte>(kind == 1 ? 0 : below(random, 256));
    }
  });
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
