// Tests whole runs: a good program keeps all rules, and a form that breaks one is named with its
// step, its operand, the memory and the byte.
#include "tools/simulate/simulator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "planner/plan.h"
#include "portable_fallback/forms.h"
#include "support/file.h"
#include "tools/arenite/json.h"
#include "tools/simulate/load_watched_forms.h"
#include "tools/simulate/simulate.h"

namespace arenite::tools {
namespace {

using testing::HasSubstr;

const std::filesystem::path kDigits =
    std::filesystem::path(ARENITE_SOURCE_DIR) / "examples/digits/digits.onnx";

std::vector<std::byte> plan_digits(const char* board) {
  planner::ModelFile model;
  model.method = "main";
  model.bytes = read_file(kDigits);
  planner::PlanOptions options;
  options.boards = {planner::find_board(board)};
  return planner::plan_models({model}, options).program;
}

std::vector<std::optional<HostTensor>> image() {
  HostTensor tensor{DType::kFloat32, {1, 1, 8, 8}, std::vector<std::byte>(256)};
  for (uint32_t i = 0; i < 64; ++i) {
    const float pixel = static_cast<float>(i * 5 % 17) / 16;
    std::memcpy(tensor.bytes.data() + 4 * i, &pixel, 4);
  }
  return {tensor};
}

// Forms of which all of an operator do something else first.
class BrokenForms {
 public:
  BrokenForms(OpTable good, Op op, Status (*run)(const Step& step, const Platform& platform)) {
    for (const OpEntry& entry : good) {
      std::vector<const Form*>& list = lists_.emplace_back();
      for (const Form* const* form = entry.forms; *form != nullptr; ++form) {
        forms_.push_back(std::make_unique<Form>(**form));
        if (entry.op == op) forms_.back()->run = run;
        list.push_back(forms_.back().get());
      }
      list.push_back(nullptr);
      entries_.push_back({entry.op, entry.contract, nullptr});
    }
    for (size_t i = 0; i < entries_.size(); ++i) entries_[i].forms = lists_[i].data();
  }
  OpTable ops() const { return entries_; }

 private:
  std::vector<std::unique_ptr<Form>> forms_;
  std::vector<std::vector<const Form*>> lists_;
  std::vector<OpEntry> entries_;
};

class BrokenRun : public testing::Test {
 protected:
  // The fault of a run in which max pools do this.
  Fault fault_of(Status (*pool)(const Step& step, const Platform& platform),
                 const char* board_name = "mps2-an386") {
    const std::vector<std::byte> program = plan_digits(board_name);
    const ProgramFile file(program, "digits.arn");
    const planner::Board board = planner::find_board(board_name);
    const BrokenForms forms(all_ops(), Op::kMaxPool, pool);
    SimulatorOptions options;
    options.forms.ops = forms.ops();
    Simulator simulator(file, 0, board, options);
    RunnerOptions runner_options;
    runner_options.device = parse_device("cpu");
    runner_options.board = board.name;
    runner_options.machine = &simulator;
    Runner runner(file, runner_options, nullptr);
    const BoundInputs inputs = bind_inputs(file, 0, image());
    try {
      runner.run(inputs.tensors);
    } catch (const SimulatedFault& error) {
      message_ = error.what();
      return error.fault;
    }
    ADD_FAILURE() << "nothing was found";
    return {};
  }

  std::string message_;
};

void store(std::byte* at) { *static_cast<volatile std::byte*>(at) = std::byte{1}; }
std::byte load(const std::byte* at) { return *static_cast<const volatile std::byte*>(at); }

TEST_F(BrokenRun, WriteBehindAMemory) {
  const Fault fault = fault_of([](const Step& step, const Platform&) {
    store(step.output(0).out + (1 << 14));
    return ok_status();
  });
  EXPECT_EQ(fault.kind, FaultKind::kOutside);
  EXPECT_TRUE(fault.writes);
  EXPECT_EQ(fault.memory, "ssram");
  EXPECT_EQ(fault.operand, "output 0");
  EXPECT_THAT(message_, HasSubstr("/9/MaxPool"));
  EXPECT_THAT(message_, HasSubstr("the memory has"));
}

TEST_F(BrokenRun, ReadBeforeAMemory) {
  const Fault fault = fault_of([](const Step& step, const Platform&) {
    static_cast<void>(load(step.input(0).data - (1 << 13)));
    return ok_status();
  });
  EXPECT_EQ(fault.kind, FaultKind::kOutside);
  EXPECT_EQ(fault.operand, "input 0");
  EXPECT_LT(fault.byte, 0);
}

TEST_F(BrokenRun, WriteBesideAnOutputInItsPage) {
  const Fault fault = fault_of([](const Step& step, const Platform&) {
    store(step.output(0).out + step.output(0).bytes());
    return ok_status();
  });
  EXPECT_EQ(fault.kind, FaultKind::kStray);
  EXPECT_EQ(fault.memory, "ssram");
}

TEST_F(BrokenRun, WriteToAnInput) {
  const Fault fault = fault_of(
      [](const Step& step, const Platform&) {
        store(const_cast<std::byte*>(step.input(0).data));
        return ok_status();
      },
      "host");
  EXPECT_EQ(fault.kind, FaultKind::kReadOnly);
  EXPECT_EQ(fault.operand, "input 0");
}

// The second of two runs, in which what is beside a step's operands is other than in the first.
TEST(Simulation, NamesAStepThatReadsBesideItsOperands) {
  const std::vector<std::byte> program = plan_digits("mps2-an386");
  const ProgramFile file(program, "digits.arn");
  const planner::Board board = planner::find_board("mps2-an386");
  const BrokenForms forms(all_ops(), Op::kMaxPool, [](const Step& step, const Platform&) {
    const OutTensor y = step.output(0);
    for (uint32_t i = 0; i < y.bytes(); ++i) store(y.out + i);
    y.out[0] = load(step.input(0).data + step.input(0).bytes());
    return ok_status();
  });
  const BoundInputs inputs = bind_inputs(file, 0, image());
  const auto run = [&](Simulator& simulator) {
    RunnerOptions options;
    options.device = parse_device("cpu");
    options.board = board.name;
    options.machine = &simulator;
    Runner(file, options, nullptr).run(inputs.tensors);
  };
  SimulatorOptions options;
  options.forms.ops = forms.ops();
  Simulator first(file, 0, board, options);
  run(first);
  options.poison = std::byte{0x3c};
  options.inverts = true;
  Simulator second(file, 0, board, options);
  second.expect_results(&first);
  run(second);
  ASSERT_TRUE(second.differs().has_value());
  EXPECT_EQ(second.differs()->kind, FaultKind::kDepends);
  EXPECT_THAT(second.differs()->step_name, HasSubstr("/9/MaxPool"));
}

TEST(Simulation, TellsFaultsAsJson) {
  Fault fault;
  fault.kind = FaultKind::kOverwritten;
  fault.step = 3;
  fault.step_name = "step 3 (pool)";
  fault.form = "MaxPool.float32";
  fault.operand = "input 0";
  fault.operand_name = "x";
  fault.memory = "sram";
  fault.byte = 16;
  fault.memory_bytes = 64;
  const std::string json = error_json(SimulatedFault("net.arn", "mine", fault));
  for (const char* part :
       {"\"error\": \"net.arn: simulated on mine: step 3 (pool) by MaxPool.float32 reads byte 16 "
        "of "
        "sram by input 0 'x', where it has already written its output\"",
        "\"kind\": \"overwritten\"", "\"step\": 3", "\"byte\": 16", "\"lives_there\": null"}) {
    EXPECT_THAT(json, HasSubstr(part));
  }
}

TEST(Simulation, OfDigitsTouchesWhatWasPlanned) {
  for (const char* name : {"host", "mps2-an386", "mps3-an547"}) {
    SCOPED_TRACE(name);
    const std::vector<std::byte> program = plan_digits(name);
    const ProgramFile file(program, "digits.arn");
    const planner::Board board = planner::find_board(name);
    const BoundInputs inputs = bind_inputs(file, 0, image());
    std::vector<HostTensor> first;
    for (const bool counts : {false, true}) {
      SimulateOptions options;
      options.count_memory = counts;
      options.repeat = 2;
      const SimulatedRun run = simulate(file, board, inputs, options);
      for (const SimulatedArena& arena : run.simulation.arenas) {
        EXPECT_EQ(arena.touched_bytes, arena.planned_bytes);
      }
      ASSERT_EQ(run.outputs.size(), 1u);
      if (!counts) first = run.outputs;
      EXPECT_EQ(run.outputs[0].bytes, first[0].bytes);
      EXPECT_EQ(run.simulation.memories.empty(), !counts);
      for (const SimulatedMoves& moved : run.simulation.memories) {
        EXPECT_GT(moved.read_bytes, 0u);
        // Nobody writes to constants.
        const bool constants = moved.memory == "flash" || moved.memory == "program";
        EXPECT_EQ(moved.written_bytes == 0, constants) << moved.memory;
      }
    }
  }
}

}  // namespace
}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
