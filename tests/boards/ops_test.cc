// Runs cases of every operator on a board, some for each group of types, and of those with special
// forms on a board whose CPU has them, each in one program, and those of scalar code; compares with
// the host bit by bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>
#include <vector>

#include "core/form.h"
#include "planner/board/board.h"
#include "planner/plan.h"
#include "tests/boards/case_graph.h"
#include "tests/environment_count.h"
#include "tests/ops/cases.h"
#include "tools/run/program_file.h"
#include "tools/target/target.h"

namespace arenite::tools {
namespace {

using boards_test::is_small;
using boards_test::Weights;
using ops_test::OpCase;

// Machines differ in the sign of a NaN that they make.
ops_test::Numbers numbers_of(const HostTensor& tensor) {
  ops_test::Numbers numbers = {tensor.dtype, tensor.dims, {}};
  const uint32_t bytes = element_bytes(tensor.dtype);
  for (size_t at = 0; at < tensor.bytes.size(); at += bytes) {
    numbers.values.push_back(ops_test::decode(tensor.dtype, tensor.bytes.data() + at));
  }
  return numbers;
}

// Cases as methods of a program for a board.
class BoardCases {
 public:
  // Of the board's features its CPU forms may need those of `features`.
  BoardCases(const std::string& board, Weights weights, CpuFeatures features = ~CpuFeatures{0})
      : weights_(weights),
        board_(planner::find_board(board)),
        options_(boards_test::case_options(board_, features)) {}

  // Where this is n, one of n cases that have the same forms runs.
  static uint32_t case_step() {
    return std::max(test::environment_count("ARENITE_TEST_EVERY", 1), 1u);
  }

  // Cases on a board, by the forms of the steps that they were planned with.
  using Ran = std::map<std::pair<Op, std::vector<uint8_t>>, std::set<std::string>>;

  // False for a case that is one of those that only kernels know, or ran with the same forms, or is
  // left out.
  bool add(const OpCase& c, Ran* ran = nullptr) {
    try {
      const planner::PlanResult planned = planner::plan_graphs({graph_of(c, weights_)}, options_);
      if (ran != nullptr) {
        std::set<std::string>& names = (*ran)[{c.op, forms_of(planned.program)}];
        const size_t before = names.size();
        if (!names.insert(c.name).second || before % case_step() != 0) return false;
      }
    } catch (const std::exception&) {
      return false;
    }
    graphs_.push_back(graph_of(c, weights_));
    inputs_.push_back(inputs_of(c, weights_));
    tolerances_.push_back(c.tolerance);
    return true;
  }

  // Returns how many steps were planned for special forms. Of floats these round elsewhere than the
  // host's: their results may differ by what both may differ from the oracle's.
  enum class Bits { kSame, kTolerated };
  uint32_t compare(Bits bits = Bits::kSame) const {
    const ProgramFile file(planner::plan_graphs(graphs_, options_).program, "ops");
    const DeviceChoice cpu = parse_device("cpu");
    std::vector<TargetTask> tasks;
    std::vector<std::vector<HostTensor>> expected;
    for (uint32_t m = 0; m < graphs_.size(); ++m) {
      Runner host(file, {cpu, options_.boards[0].name, 1, graphs_[m].method}, nullptr);
      tasks.push_back({m, {inputs_[m], false, 1}});
      expected.push_back(host.run(inputs_[m]));
    }
    TargetOptions options;
    options.count = false;
    const TargetResult result = run_on_target(board_, file, tasks, options);
    for (size_t m = 0; m < tasks.size(); ++m) {
      EXPECT_EQ(result.tasks[m].outputs.size(), expected[m].size());
      for (size_t i = 0; i < expected[m].size(); ++i) {
        const ops_test::Numbers found = numbers_of(result.tasks[m].outputs[i]);
        const ops_test::Numbers wanted = numbers_of(expected[m][i]);
        EXPECT_EQ(bits == Bits::kSame ? bit_difference(found, wanted)
                                      : difference(found, wanted, 2 * tolerances_[m]),
                  "")
            << graphs_[m].method;
      }
    }
    uint32_t special = 0;
    for (const format::StepRecord& step : file.program().steps()) {
      special += step.form >= kFirstSpecialForm;
    }
    return special;
  }
  size_t size() const { return graphs_.size(); }

 private:
  static std::vector<uint8_t> forms_of(const std::vector<std::byte>& program) {
    std::vector<uint8_t> forms;
    const ProgramFile file(program, "case");
    for (const format::StepRecord& step : file.program().steps()) forms.push_back(step.form);
    return forms;
  }

  Weights weights_;
  planner::Board board_;
  planner::PlanOptions options_;
  std::vector<planner::NamedGraph> graphs_;
  std::vector<std::vector<HostTensor>> inputs_;
  std::vector<double> tolerances_;
};

// Some small cases of each operator for each group of types; one where not all cases run.
void compare_each_form(BoardCases cases, BoardCases::Bits bits) {
  const size_t of_a_form = BoardCases::case_step() == 1 ? 3 : 1;
  std::map<std::tuple<Op, TypeSet, bool>, size_t> taken;
  std::set<Op> ops;
  for (const OpCase& c : ops_test::all_cases()) {
    size_t& count = taken[{c.op, boards_test::forms_of(c), boards_test::has_packed_input(c)}];
    if (!is_small(c) || count == of_a_form || !cases.add(c)) continue;
    ++count;
    ops.insert(c.op);
  }
#define ARENITE_KERNEL_OP(number, name, Type, shader) \
  EXPECT_TRUE(ops.contains(Op::k##Type)) << #name;
#include "schema/ops.def"
  cases.compare(bits);
  std::printf("%zu cases of %zu operators agree\n", cases.size(), ops.size());
}

TEST(TargetOps, EveryFormGivesTheHostsBits) {
  compare_each_form({"mps3-an547", Weights::kAsInputs, ~cpu_features::kMveFp},
                    BoardCases::Bits::kSame);
}

// Names or files of boards, separated by spaces: those whose images are not built for each test.
TEST(TargetOps, EveryFormOfOtherBoardsGivesTheHostsBits) {
  const char* names = std::getenv("ARENITE_TEST_BOARDS");
  if (names == nullptr) GTEST_SKIP() << "ARENITE_TEST_BOARDS names no boards";
  std::istringstream words(names);
  for (std::string board; words >> board;) {
    std::printf("%s\n", board.c_str());
    compare_each_form({board, Weights::kAsInputs, 0}, BoardCases::Bits::kSame);
    compare_each_form({board, Weights::kAsConstants}, BoardCases::Bits::kTolerated);
  }
}

// Boards, and those of their features that forms may need.
using Machines = std::vector<std::pair<const char*, CpuFeatures>>;

// Compares the small cases of some operators on machines that have special forms of these.
void compare_special(const std::set<Op>& ops, Weights weights, const Machines& machines) {
  std::map<std::string, BoardCases::Ran> ran;  // by board
  for (const auto& [board, features] : machines) {
    BoardCases cases(board, weights, features);
    for (const OpCase& c : ops_test::all_cases()) {
      if (!ops.contains(c.op) || !is_small(c) || c.inputs[0].absent) continue;
      const DType type = c.inputs[0].dtype;
      const bool special = element_bytes(type) == 1 || type == DType::kInt16;
      if (special || type == DType::kFloat32) cases.add(c, &ran[board]);
    }
    const uint32_t steps = cases.compare();
    EXPECT_GE(steps * BoardCases::case_step(), 50u) << board;
    std::printf("%s: %zu cases agree, %u of special forms\n", board, cases.size(), steps);
  }
}

TEST(TargetOps, SpecialFormsGiveTheHostsBits) {
  compare_special(
      {Op::kQuantizedConv, Op::kQuantizedConvTranspose, Op::kQuantizedMatMul, Op::kQuantizedAdd},
      Weights::kAsConstants,
      {{"mps2-an386", ~CpuFeatures{0}}, {"mps2-an386", 0}, {"mps3-an547", ~CpuFeatures{0}}});
}

TEST(TargetOps, SpecialFormsOfOtherOperatorsGiveTheHostsBits) {
  compare_special({Op::kSvdf, Op::kQuantizedLstm, Op::kQuantizedSoftmax, Op::kQuantizedMul,
                   Op::kRequantize, Op::kQuantize, Op::kQuantizedSum, Op::kMaxPool, Op::kLookup,
                   Op::kQuantizedAveragePool, Op::kResize},
                  Weights::kAsInputs,
                  {{"mps2-an386", ~CpuFeatures{0}}, {"mps3-an547", ~CpuFeatures{0}}});
}

TEST(TargetOps, FloatFormsAgreeWithTheHost) {
  for (const char* board : {"mps2-an386", "mps3-an547"}) {
    BoardCases cases(board, Weights::kAsConstants);
    BoardCases::Ran ran;
    for (const OpCase& c : ops_test::all_cases()) {
      const bool special = c.op == Op::kConv || c.op == Op::kMatMul;
      if (special && c.inputs[0].dtype == DType::kFloat32 && is_small(c)) cases.add(c, &ran);
    }
    const uint32_t steps = cases.compare(BoardCases::Bits::kTolerated);
    EXPECT_GE(steps * BoardCases::case_step(), 40u) << board;
    std::printf("%s: %zu cases agree, %u of special forms\n", board, cases.size(), steps);
  }
}

}  // namespace
}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
