// `arenite target test`: holds what a board computes against what is expected.
#include <algorithm>
#include <filesystem>

#include "support/output.h"
#include "support/printable.h"
#include "support/progress.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/common_options.h"
#include "tools/arenite/expect.h"
#include "tools/arenite/input_files.h"
#include "tools/arenite/json.h"
#include "tools/arenite/program_or_model.h"
#include "tools/arenite/proto_format.h"
#include "tools/arenite/target_board.h"
#include "tools/run/method_choice.h"
#include "tools/run/tensor_args.h"
#include "tools/target/operator_cases.h"
#include "tools/target/scratch_folder.h"
#include "tools/target/vectors.h"

namespace arenite::tools {
namespace {

namespace fs = std::filesystem;

struct TargetTestCommand {
  std::vector<std::string> programs;
  BoardArguments board;
  ModelOptions model;
  InputArguments inputs;
  ExpectArguments expect;
  std::string method;
  bool ops = false;
  bool json = false;
};

struct ProgramVectors {
  std::string name;  // as it was given
  std::unique_ptr<ProgramFile> file;
  std::vector<Vector> vectors;
};

// The model or program in a folder.
fs::path file_in(const fs::path& folder) {
  for (const char* name : {"model.arn", "model.onnx", "model.tflite"}) {
    if (fs::is_regular_file(folder / name)) return folder / name;
  }
  throw InputError(folder.string() +
                   ": expected model.arn, model.onnx or model.tflite in it, found none");
}

// "in_0.npy" of the names that files of test data have; empty where there is none.
fs::path data_file(const fs::path& folder, std::initializer_list<const char*> names,
                   uint32_t index) {
  for (const char* name : names) {
    for (const char* suffix : {".npy", ".bin", ".pb"}) {
      const fs::path path = folder / (name + std::to_string(index) + suffix);
      if (fs::is_regular_file(path)) return path;
    }
  }
  return {};
}

// The inputs and outputs in a folder; nothing where it has none.
std::optional<Vector> vector_of_folder(const fs::path& folder, const ProgramFile& file) {
  const Program& program = file.program();
  std::vector<std::optional<HostTensor>> inputs(program.methods()[0].input_count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    if (file.state_of(0, i) != nullptr) continue;
    const fs::path path = data_file(folder, {"in_", "input_"}, count++);
    if (path.empty()) continue;
    const HostTensor form = input_form(program, 0, i);
    inputs[i] = read_tensor(path, form.dtype, form.dims, &kProtoFormat);
  }
  Vector vector;
  for (uint32_t i = 0; i < program.methods()[0].output_count; ++i) {
    const fs::path path = data_file(folder, {"out_", "output_"}, i);
    if (path.empty()) continue;
    const HostTensor form = output_form(program, 0, i);
    HostTensor tensor = read_tensor(path, form.dtype, form.dims, &kProtoFormat);
    if (form.dtype == DType::kBfloat16 && tensor.dtype == DType::kUint16) tensor.dtype = form.dtype;
    vector.expected.push_back({i, std::move(tensor)});
  }
  if (vector.expected.empty()) return std::nullopt;
  vector.name = file.method_name(0) + " " + folder.filename().string();
  vector.task.inputs = bind_inputs(file, 0, std::move(inputs));
  return vector;
}

// What is expected of a folder: of the files in it, and in its folders test_data_set_0 and so on.
std::vector<Vector> vectors_of_folder(const fs::path& folder, const ProgramFile& file) {
  std::vector<Vector> vectors;
  if (auto own = vector_of_folder(folder, file)) vectors.push_back(std::move(*own));
  for (uint32_t i = 0; fs::is_directory(folder / ("test_data_set_" + std::to_string(i))); ++i) {
    auto set = vector_of_folder(folder / ("test_data_set_" + std::to_string(i)), file);
    if (set) vectors.push_back(std::move(*set));
  }
  return vectors;
}

// The one of --input and --expect.
Vector given_vector(const TargetTestCommand& command, const ProgramFile& file) {
  Vector vector;
  const std::string method = method_for(file, command.method, command.inputs.files);
  vector.task.method = file.find_method(method);
  vector.name = file.method_name(vector.task.method) + " --expect";
  vector.task.inputs =
      bind_inputs(file, vector.task.method, read_inputs(file, vector.task.method, command.inputs));
  for (Expectation& one :
       read_expectations(file, vector.task.method, command.expect, vector.task.inputs)) {
    vector.expected.push_back({one.output, std::move(one.tensor)});
  }
  return vector;
}

ProgramVectors read_vectors(const TargetTestCommand& command, const std::string& path) {
  ProgramVectors all;
  all.name = path;
  const bool folder = fs::is_directory(path);
  all.file = open_program_or_model(folder ? file_in(path).string() : path, command.model,
                                   {command.board.board, "harness"});
  all.vectors = bundled_vectors(*all.file);
  if (folder) {
    for (Vector& vector : vectors_of_folder(path, *all.file)) {
      all.vectors.push_back(std::move(vector));
    }
  }
  if (!command.expect.files.empty()) all.vectors.push_back(given_vector(command, *all.file));
  if (all.vectors.empty()) {
    throw InputError(path + ": nothing is expected of it: expected test vectors in the program, " +
                     "in_0 and out_0 (.npy, .bin, .pb) beside it in a folder, or --expect");
  }
  return all;
}

// Cases of every operator, as the test vectors of a program.
ProgramVectors operator_vectors(const BoardArguments& board, const fs::path& folder) {
  const fs::path path = folder / "operators.arn";
  write_operator_cases(board.board, path);
  ProgramVectors all;
  all.name = "operators";
  all.file = open_program_or_model(path.string(), {}, {board.board, "harness"});
  all.vectors = bundled_vectors(*all.file);
  return all;
}

// A string of YAML.
std::string yaml_text(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  std::ranges::replace(text, '"', '\'');
  std::ranges::replace(text, '\\', '/');
  return '"' + printable(text) + '"';
}

void print_tap(const TargetTestLine& line, size_t number) {
  const VectorResult& result = line.result;
  print("%s %zu - %s %s\n", result.passed() ? "ok" : "not ok", number,
        printable(line.program).c_str(), printable(result.name).c_str());
  if (result.passed()) return;
  print("  ---\n  message: %s\n  ...\n", yaml_text(result.why()).c_str());
}

int run_target_test(const TargetTestCommand& command) {
  const planner::Board board = find_target_board(command.board);
  if (command.programs.size() != 1 &&
      (!command.expect.files.empty() || !command.inputs.files.empty())) {
    throw InputError("--input and --expect are about one program, found " +
                     std::to_string(command.programs.size()));
  }
  if (command.expect.files.empty() && !command.inputs.files.empty()) {
    throw InputError("--input: expected --expect with it");
  }
  if (command.programs.empty() && !command.ops) {
    throw InputError("expected a PROGRAM, or --ops, found neither");
  }
  // All is read before anything starts.
  const ScratchFolder scratch;
  std::vector<ProgramVectors> programs;
  size_t count = 0;
  if (command.ops) {
    programs.push_back(operator_vectors(command.board, scratch.path()));
    count += programs.back().vectors.size();
  }
  for (const std::string& path : command.programs) {
    programs.push_back(read_vectors(command, path));
    count += programs.back().vectors.size();
  }
  TargetOptions options = command.board.options();
  options.count = false;
  TargetTestReport report;
  report.board = board.name;
  report.in_emulator = options.place.in_emulator() && board.emulator->clock_counts_instructions;
  if (!command.json) print("TAP version 14\n1..%zu\n", count);
  {
    Progress progress("board " + board.name, count);
    size_t done = 0;
    // What is done before the runs, which can take minutes over a line; results are counted.
    options.progress = [&](const std::string& what, uint64_t, uint64_t total) {
      if (total == 0) progress.show(what, done, count);
    };
    for (const ProgramVectors& program : programs) {
      run_vectors(board, *program.file, program.vectors, parse_tolerance(command.expect.tolerance),
                  options, [&](const VectorResult& result) {
                    report.tests.push_back({program.name, result});
                    if (!command.json) print_tap(report.tests.back(), report.tests.size());
                    progress.show("", ++done, count);
                  });
    }
  }
  if (command.json) print_text(to_json(report) + "\n");
  return report.failed() == 0 ? kDone : kFailed;
}

std::function<int()> declare_target_test(Options& options) {
  const auto test = std::make_shared<TargetTestCommand>();
  options.add(
      "PROGRAM", test->programs,
      "Programs with test vectors; or models and folders of a model with its inputs and "
      "outputs, in_0.bin and out_0.bin or test_data_set_0, which are planned for the board");
  options.add("--ops", test->ops,
              "Run cases of every operator, whose results are held against this machine's");
  add_board(options, test->board);
  add_model_options(options, test->model);
  add_state_options(options, test->model);
  add_inputs(options, test->inputs);
  add_expect(options, test->expect);
  add_method(options, test->method);
  add_json(options, test->json);
  return [test] { return run_target_test(*test); };
}

}  // namespace

const Command kTargetTestCommand = {
    .name = "target test",
    .summary = "Compare what a board computes with what is expected",
    .examples =
        "arenite target test --board mps3-an547 model.arn other.arn\n"
        "arenite target test --board mps2-an386 models/kws --tolerance 1step --json\n"
        "arenite target test --board mps2-an386 model.arn --input x.npy --expect y.npy\n"
        "arenite target test --board mps2-an386 --ops\n"
        "arenite target test --board ./my-board.json --port /dev/ttyACM0 model.arn",
    .declare = declare_target_test,
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
