// `arenite conform`: runs ONNX-style case folders and compares what comes out.
#include <algorithm>

#include "planner/import/conform.h"
#include "planner/plan.h"
#include "support/output.h"
#include "support/printable.h"
#include "support/progress.h"
#include "support/word_errors.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/common_options.h"
#include "tools/arenite/json.h"
#include "tools/run/results.h"
#include "tools/run/runner.h"
#include "tools/run/tensor_args.h"

namespace arenite::tools {
namespace {

namespace fs = std::filesystem;

struct ConformCommand {
  std::vector<std::string> folders;
  std::string board = "host";
  std::string device = "auto";
  bool json = false;
};

// A folder with a model is a case; else each folder in it that has one.
std::vector<fs::path> find_cases(const std::vector<std::string>& folders) {
  std::vector<fs::path> cases;
  for (const std::string& folder : folders) {
    if (!fs::is_directory(folder)) throw FileError(folder + ": expected a folder", folder, {"/"});
    if (fs::exists(fs::path(folder) / "model.onnx")) {
      cases.emplace_back(folder);
      continue;
    }
    const size_t before = cases.size();
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      if (fs::exists(entry.path() / "model.onnx")) cases.push_back(entry.path());
    }
    if (cases.size() == before) {
      throw InputError(folder + ": no model.onnx in it, nor in a folder of it");
    }
    std::sort(cases.begin() + static_cast<ptrdiff_t>(before), cases.end());
  }
  return cases;
}

class CaseRunner {
 public:
  CaseRunner(const planner::Board& board, const DeviceChoice& device, VulkanHost* vulkan)
      : device_(device), vulkan_(vulkan) {
    options_.boards = {board};
  }

  // Throws InputError for whatever goes wrong, so that one case does not end the others.
  std::vector<planner::TensorData> operator()(const planner::ConformCase& test,
                                              const std::vector<planner::NamedTensor>& inputs) {
    last_.reset();
    try {
      return plan_and_run(test, inputs);
    } catch (const RunError& error) {
      throw InputError(error.what());
    }
  }

  // The run of the last case; nothing if that case never came to run.
  const std::optional<RunInfo>& last() const { return last_; }

 private:
  std::vector<planner::TensorData> plan_and_run(const planner::ConformCase& test,
                                                const std::vector<planner::NamedTensor>& inputs) {
    planner::ModelFile model;
    model.method = "main";
    model.bytes = test.model;
    model.import = test.options;
    const planner::PlanResult planned = planner::plan_models({model}, options_);
    const ProgramFile file(planned.program, test.name);
    Runner runner(file, {device_, "", 1, ""}, vulkan_);
    std::vector<std::optional<HostTensor>> given(runner.input_count());
    for (uint32_t i = 0; i < inputs.size(); ++i) {
      const planner::TensorData& data = inputs[i].data;
      const uint32_t at = inputs[i].name.empty() ? i : file.find_input(0, inputs[i].name);
      if (at >= given.size()) continue;
      given[at] = HostTensor{data.dtype, data.dims, data.bytes};
      // ONNX's cases store bfloat16 as its bits.
      const DType wanted = input_form(file.program(), 0, at).dtype;
      if (wanted == DType::kBfloat16 && data.dtype == DType::kUint16) given[at]->dtype = wanted;
    }
    const BoundInputs bound = bind_inputs(runner, std::move(given));
    std::vector<planner::TensorData> outputs;
    std::vector<HostTensor> results = runner.run(bound.tensors);
    const std::set<uint32_t> counting = keep_results(file, runner.method(), results);
    for (uint32_t i = 0; i < results.size(); ++i) {
      if (counting.contains(i)) continue;  // none of the model's
      HostTensor& tensor = results[i];
      outputs.push_back({tensor.dtype, std::move(tensor.dims), std::move(tensor.bytes)});
    }
    last_ = runner.info();
    return outputs;
  }

  DeviceChoice device_;
  VulkanHost* vulkan_;
  planner::PlanOptions options_;
  std::optional<RunInfo> last_;
};

std::string result_name(planner::ConformResult result) {
  switch (result) {
    case planner::ConformResult::kPassed:
      return "passed";
    case planner::ConformResult::kFailed:
      return "failed";
    case planner::ConformResult::kSkipped:
      return "skipped";
    case planner::ConformResult::kWrong:
      return "wrong";
  }
  return "failed";
}

ConformCase case_of(const planner::ConformOutcome& outcome, const std::optional<RunInfo>& ran) {
  ConformCase one;
  one.name = outcome.name;
  one.result = result_name(outcome.result);
  one.why = outcome.why;
  one.bound = outcome.bound;
  if (ran && outcome.result != planner::ConformResult::kSkipped) {
    one.device = ran->on_vulkan ? "vulkan" : "cpu";
    one.fell_back = ran->fell_back;
    one.vulkan_steps = ran->counts.vulkan;
    one.cpu_steps = ran->counts.cpu;
  }
  return one;
}

int run_conform(const ConformCommand& command) {
  // A case that the device cannot run is run on the CPU, with a message: one case does not end the
  // others.
  const DeviceChoice device = parse_device(command.device, true);
  const planner::Board board = planner::find_board(command.board);
  VulkanHost vulkan(vulkan_options(device, ""));
  CaseRunner runner(board, device, &vulkan);
  const std::vector<fs::path> folders = find_cases(command.folders);
  std::vector<ConformCase> cases;
  Progress progress("conform", folders.size());
  for (const fs::path& folder : folders) {
    const planner::ConformOutcome outcome = planner::run_conform_case(folder, std::ref(runner));
    cases.push_back(case_of(outcome, runner.last()));
    progress.advance();
  }
  const auto failed = std::count_if(cases.begin(), cases.end(),
                                    [](const ConformCase& one) { return one.result == "failed"; });
  if (command.json) {
    print_text(to_json(cases) + "\n");
    return failed == 0 ? kDone : kFailed;
  }
  uint32_t passed = 0, wrong = 0, on_vulkan = 0, on_cpu = 0;
  for (const ConformCase& one : cases) {
    passed += one.result == "passed" ? 1u : 0u;
    wrong += one.result == "wrong" ? 1u : 0u;
    on_vulkan += one.device == "vulkan" ? 1u : 0u;
    on_cpu += one.device == "cpu" ? 1u : 0u;
    print("%-8s %s%s%s%s%s\n", one.result.c_str(), printable(one.name).c_str(),
          one.bound ? " (bound)" : "", one.why.empty() ? "" : ": ", one.why.c_str(),
          one.device.empty() ? "" : (" [" + one.device + "]").c_str());
  }
  print("%u passed, %u failed, %u skipped", passed, static_cast<uint32_t>(failed),
        static_cast<uint32_t>(cases.size()) - passed - wrong - static_cast<uint32_t>(failed));
  if (wrong != 0) print(", %u wrong as published", wrong);
  print("\n");
  print("%u ran on Vulkan, %u on the CPU\n", on_vulkan, on_cpu);
  return failed == 0 ? kDone : kFailed;
}

std::function<int()> declare_conform(Options& options) {
  const auto conform = std::make_shared<ConformCommand>();
  options
      .add("DIR", conform->folders,
           "Folders with model.onnx and test_data_set_N/, or folders of such folders")
      .required();
  add_device(options, conform->device);
  options.add("--board", conform->board, "Board to plan for")
      .value_name("NAME|FILE")
      .shows_default();
  add_json(options, conform->json);
  return [conform] { return run_conform(*conform); };
}

}  // namespace

const Command kConformCommand = {
    .name = "conform",
    .summary = "Run ONNX test case folders and compare their outputs",
    .examples =
        "arenite conform /usr/include/onnx/backend/test/data/node --device cpu\n"
        "arenite conform my_model_cases/ --json",
    .declare = declare_conform,
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
