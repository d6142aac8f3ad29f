// Runs a program many times over a line that damages frames: a run ends right or with an error, and
// none hangs. Then over lines to boards that fault, hang, babble and stop.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "planner/board/board.h"
#include "planner/plan.h"
#include "tests/planner/plan/graph_builder.h"
#include "tools/run/tensor_args.h"
#include "tools/target/child.h"
#include "tools/target/conversation.h"
#include "tools/target/fault.h"
#include "tools/target/scratch_folder.h"
#include "tools/target/vectors.h"

namespace arenite::tools {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr char kBoard[] = "mps2-an386";
constexpr uint32_t kElements = 2000;  // of the input: several pieces

constexpr size_t kVectors = 5;
constexpr size_t kWrongVector = 3;

float element(size_t vector, uint32_t i) { return static_cast<float>((i + vector) % 17) - 8.0f; }

std::vector<std::byte> bytes_of(const std::vector<float>& numbers) {
  std::vector<std::byte> bytes(numbers.size() * sizeof(float));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

// Of relu; what is expected of one is wrong.
planner::TestVector test_vector(size_t index) {
  std::vector<float> inputs(kElements), outputs(kElements);
  for (uint32_t i = 0; i < kElements; ++i) {
    inputs[i] = element(index, i);
    outputs[i] = std::max(inputs[i], 0.0f);
  }
  if (index == kWrongVector) outputs[7] += 1;
  return {{bytes_of(inputs)}, {bytes_of(outputs)}};
}

// relu, with test vectors.
std::vector<std::byte> program_bytes() {
  planner::NamedGraph named;
  named.method = "main";
  test::GraphBuilder graph;
  graph.output(graph.clip(graph.input({kElements}), 0, __builtin_inff()));
  named.graph = graph.graph();
  for (size_t i = 0; i < kVectors; ++i) named.test_vectors.push_back(test_vector(i));
  planner::PlanOptions options;
  options.boards = {planner::find_board(kBoard)};
  return planner::plan_graphs({named}, options).program;
}

class Lines : public ::testing::Test {
 protected:
  Lines() : board_(planner::find_board(kBoard)), file_(program_bytes(), "relu.arn") {
    HostTensor input = input_form(file_.program(), 0, 0);
    std::vector<float> numbers(kElements);
    for (uint32_t i = 0; i < kElements; ++i) numbers[i] = element(0, i);
    input.bytes.resize(kElements * sizeof(float));
    std::memcpy(input.bytes.data(), numbers.data(), input.bytes.size());
    task_.inputs.tensors = {input};
    for (float& number : numbers) number = std::max(number, 0.0f);
    expected_.resize(input.bytes.size());
    std::memcpy(expected_.data(), numbers.data(), expected_.size());
  }

  // One conversation, from start to end; the bytes of the output.
  std::vector<std::byte> talk(const std::vector<std::string>& words, uint32_t ahead,
                              milliseconds limit, LinkCounts* counts = nullptr) const {
    std::vector<std::string> command{ARENITE_LOSSY_TARGET, "--board", kBoard};
    command.insert(command.end(), words.begin(), words.end());
    Child child(command);
    LinkOptions link;
    link.requests_ahead = ahead;
    link.again_after = milliseconds(40);
    link.work_limit = link.answer_limit = limit;
    link.piece_bytes = 1024;
    Conversation conversation(child, link, board_, file_, options_);
    conversation.greet();
    conversation.stream_program();
    TargetTaskResult result = conversation.run(task_, nullptr);
    if (counts != nullptr) *counts = conversation.counts();
    return std::move(result.outputs[0].bytes);
  }

  // The message of a conversation that must fail.
  std::string failure(const std::vector<std::string>& words) const {
    try {
      talk(words, 1, milliseconds(700));
    } catch (const RunError& error) {
      return error.what();
    }
    return "";
  }

  planner::Board board_;
  ProgramFile file_;
  TargetOptions options_;
  TargetTask task_;
  std::vector<std::byte> expected_;
};

TEST_F(Lines, FiveHundredRunsOverALineThatDamagesOneFrameInAHundred) {
  constexpr int kRuns = 500;
  int right = 0, wrong = 0;
  uint64_t requests = 0, again = 0, damaged = 0;
  Clock::duration longest{};
  std::vector<std::string> errors;
  for (int i = 0; i < kRuns; ++i) {
    const Clock::time_point start = Clock::now();
    LinkCounts counts;
    try {
      const auto output = talk({"--seed", std::to_string(i), "--damage", "0.01"},
                               i % 2 == 0 ? 1 : 16, milliseconds(20000), &counts);
      ++(output == expected_ ? right : wrong);
    } catch (const RunError& error) {
      errors.emplace_back(error.what());
    }
    longest = std::max(longest, Clock::now() - start);
    requests += counts.requests;
    again += counts.sent_again;
    damaged += counts.damaged;
  }
  std::printf(
      "%d of %d runs right, %zu ended with an error; %llu requests, %llu sent again, %llu "
      "replies damaged; the longest took %.2f s\n",
      right, kRuns, errors.size(), static_cast<unsigned long long>(requests),
      static_cast<unsigned long long>(again), static_cast<unsigned long long>(damaged),
      std::chrono::duration<double>(longest).count());
  EXPECT_EQ(wrong, 0);
  EXPECT_GE(right, kRuns * 95 / 100);
  EXPECT_GT(again, 0u);
  for (const std::string& error : errors) EXPECT_NE(error, "");
  EXPECT_LT(longest, std::chrono::seconds(60));
}

// A tenth of the frames: slower, and still right or told.
TEST_F(Lines, ALineThatDamagesOneFrameInTen) {
  int right = 0;
  for (int i = 0; i < 40; ++i) {
    try {
      const auto output = talk({"--seed", std::to_string(i), "--damage", "0.1"},
                               i % 2 == 0 ? 1 : 16, milliseconds(20000));
      ASSERT_EQ(output, expected_) << i;
      ++right;
    } catch (const RunError& error) {
      EXPECT_STRNE(error.what(), "");
    }
  }
  EXPECT_GE(right, 36);
}

TEST_F(Lines, ABoardThatFaults) {
  const std::string error = failure({"--trouble", "fault", "--at", "2"});
  EXPECT_NE(error.find("status 99"), std::string::npos) << error;
  EXPECT_NE(error.find("fault: pc 0x00001234"), std::string::npos) << error;
  EXPECT_NE(error.find("a division by zero (CFSR 0x02000000, HFSR 0x40000000), at PC 0x00001234"),
            std::string::npos)
      << error;
}

TEST_F(Lines, ABoardThatHangsOrBabblesOrStops) {
  for (const char* at : {"0", "1", "3", "9"}) {
    const Clock::time_point start = Clock::now();
    std::string error = failure({"--trouble", "hang", "--at", at});
    EXPECT_NE(error.find("within 0.700 s, found silence"), std::string::npos) << error;
    error = failure({"--trouble", "babble", "--at", at});
    EXPECT_NE(error.find("bytes that are no frame"), std::string::npos) << error;
    error = failure({"--trouble", "exit", "--at", at});
    EXPECT_NE(error.find("ended with status 4"), std::string::npos) << error;
    EXPECT_LT(Clock::now() - start, std::chrono::seconds(20));
  }
}

// One vector is wrong, and the board has trouble once, in the middle of another: both are named,
// and the rest passes on a board that was started again.
TEST_F(Lines, TestVectorsGoOnBehindTrouble) {
  const std::vector<Vector> vectors = bundled_vectors(file_);
  ASSERT_EQ(vectors.size(), kVectors);
  for (const char* trouble : {"fault", "hang", "babble", "exit"}) {
    const ScratchFolder scratch;
    const std::string once = (scratch.path() / "once").string();
    TargetOptions options;
    options.timeout_seconds = 0.7;
    options.place.command =
        std::string(ARENITE_LOSSY_TARGET) + " --trouble " + trouble + " --at 14 --once " + once;
    std::vector<bool> passed;
    std::string failures;
    run_vectors(board_, file_, vectors, std::nullopt, options, [&](const VectorResult& result) {
      passed.push_back(result.passed());
      if (!result.error.empty()) failures += result.name + ": " + result.error + "\n";
    });
    ASSERT_EQ(passed.size(), kVectors);
    EXPECT_FALSE(passed[kWrongVector]);
    EXPECT_EQ(std::ranges::count(passed, true), 3) << trouble << ": " << failures;
    EXPECT_NE(failures.find("main vector"), std::string::npos) << failures;
    EXPECT_NE(failures.find("relu.arn on board mps2-an386"), std::string::npos) << failures;
  }
}

TEST_F(Lines, ABoardThatNeverStarts) {
  TargetOptions options;
  options.place.command = "echo no board here >&2; exit 7";
  size_t failed = 0;
  run_vectors(board_, file_, bundled_vectors(file_), std::nullopt, options,
              [&](const VectorResult& result) {
                EXPECT_NE(result.error.find("status 7: no board here"), std::string::npos);
                ++failed;
              });
  EXPECT_EQ(failed, kVectors);
}

TEST(Fault, IsToldInWords) {
  ElfImage image;
  image.symbols = {{"_ZN7arenite3runEv", 0x1001}, {"data", 0x1002}, {"after", 0x2001}};
  const std::string text = fault_text(
      "noise\nfault: pc 0x00001010 lr 0x00002003 cfsr 0x00008200 hfsr 0x40000000 mmfar 0x00000000 "
      "bfar 0xdead0000 sp 0x20000000\n",
      &image);
  EXPECT_EQ(text,
            "data read or written where there is no memory (CFSR 0x00008200, HFSR 0x40000000), "
            "address 0xdead0000 (BFAR), at PC 0x00001010 in arenite::run(), called from LR "
            "0x00002003 in after");
  EXPECT_FALSE(has_fault("fault:"));
  EXPECT_FALSE(has_fault("\nfault: pc"));
  EXPECT_TRUE(has_fault("\nfault: pc\n"));
  EXPECT_EQ(fault_text("\nfault: cfsr 0x00000000 hfsr 0x80000000\n", nullptr),
            "a breakpoint without a debugger (CFSR 0x00000000, HFSR 0x80000000)");
  EXPECT_EQ(fault_text("all is well\n", nullptr), "");
}

}  // namespace
}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
