// Holds the rows of all names.def and microsoft.def to what operators become: over the cases that
// have one operator alone, of these files and of ONNX's own.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "planner/graph/names.h"
#include "planner/import/conform.h"
#include "planner/import/import.h"
#include "planner/import/onnx/import.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/tflite/import.h"
#include "planner/passes/passes.h"
#include "support/file.h"
#include "tests/planner/cases/model.h"
#include "tests/planner/cases/parse.h"

namespace arenite::planner::cases {
namespace {

namespace fs = std::filesystem;

// The operators that nodes of each row became, as imported and behind the passes.
using Made = std::map<const ImportRow*, std::set<Op>>;

// Adds what import(), and the passes behind it, make.
void add_made(std::set<Op>& ops, const std::function<Graph()>& import) {
  try {
    Graph graph = import();
    for (const Node& node : graph.nodes) ops.insert(node.op);
    optimize(graph);
    for (const Node& node : graph.nodes) ops.insert(node.op);
  } catch (const InputError&) {  // a case of what is refused
  }
}

void add_model(const std::vector<std::byte>& file, const ImportOptions& options, Made& made) {
  const Model model = read_model(file, options.folder);
  if (model.nodes.size() != 1) return;
  const ImportRow* row = find_import_row(model.nodes[0].domain, model.nodes[0].op_type);
  if (row != nullptr) add_made(made[row], [&] { return import_onnx(file, options); });
}

std::vector<CaseFile> case_files(const char* folder) {
  std::vector<CaseFile> files;
  for (const auto& entry :
       fs::directory_iterator(fs::path(ARENITE_SOURCE_DIR "/tests/planner") / folder)) {
    const std::string path = entry.path();
    if (path.ends_with(".cases")) files.push_back(parse_cases(path, read_text(path)));
  }
  return files;
}

Made made_by_all_cases() {
  Made made;
  for (const CaseFile& file : case_files("operators")) {
    for (const Case& test : file.cases) {
      if (!test.tflite && test.operators.size() == 1) add_model(onnx_model(test), {}, made);
    }
  }
  for (const auto& entry : fs::directory_iterator(ARENITE_ONNX_CASES_DIR "/node")) {
    try {
      const ConformCase test = read_conform_case(entry.path());
      add_model(test.model, test.options, made);
    } catch (const InputError&) {  // tensors that are not numbers
    }
  }
  return made;
}

// Views, copies and casts stand between the nodes of any operator.
bool stands_between(Op op) {
  return op == Op::kCopy || op == Op::kCast || op == Op::kReshape || op == Op::kTranspose;
}

TEST(Becomes, EveryOperatorThatARowListsIsMadeAndNoOther) {
  if (!fs::is_directory(ARENITE_ONNX_CASES_DIR "/node")) GTEST_SKIP() << "no cases of ONNX's";
  Made made = made_by_all_cases();
  for (const char* domain : {"", "com.microsoft"}) {
    for (const ImportRow& row : import_rows(domain)) {
      if (row.importer == nullptr) continue;  // becomes what its graphs hold
      const std::string name = std::string(domain) + " " + std::string(row.op_type);
      std::set<Op> unmade(row.becomes.begin(), row.becomes.end());
      std::string unlisted, missing;
      for (const Op op : made[&row]) {
        if (unmade.erase(op) == 0 && !stands_between(op)) unlisted += " " + op_name(op);
      }
      for (const Op op : unmade) {
        if (!stands_between(op)) missing += " " + op_name(op);
      }
      EXPECT_EQ(unlisted, "") << name << " becomes what its row does not list";
      EXPECT_EQ(missing, "") << name << ": no case becomes what its row lists";
    }
  }
}

TEST(Becomes, OperatorsOfTensorFlowLiteDoWhatTheyAreSaidToDo) {
  std::map<std::string, std::set<Op>> made;
  for (const CaseFile& file : case_files("tflite")) {
    for (const Case& test : file.cases) {
      if (!test.tflite || test.operators.size() != 1) continue;
      ImportOptions options;
      options.is_tflite = true;
      add_made(made[test.operators[0].name],
               [&] { return import_model(tflite_model(test), options).at(0).graph; });
    }
  }
  for (const tflite::NamedOperator& op : tflite::named_operators()) {
    if (op.why != nullptr) continue;
    const ImportRow* onnx = find_import_row("", op.said.onnx);
    ASSERT_TRUE(onnx != nullptr || op.said.op) << op.name << " is imported as an unknown operator";
    std::vector<Op> wanted = onnx == nullptr ? std::vector<Op>() : onnx->becomes;
    if (op.said.op) wanted = {*op.said.op};
    if (wanted.empty() || stands_between(wanted.front())) continue;
    EXPECT_TRUE(made[std::string(op.name)].contains(wanted.front()))
        << op.name << ": no case becomes " << op_name(wanted.front());
  }
}

}  // namespace
}  // namespace arenite::planner::cases
// SPDX-License-Identifier: Apache-2.0
