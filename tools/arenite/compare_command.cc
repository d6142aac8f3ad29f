// `arenite compare`: runs two programs, or one on two devices, and finds where they part.
#include "support/output.h"
#include "support/printable.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/common_options.h"
#include "tools/arenite/expect.h"
#include "tools/arenite/input_files.h"
#include "tools/arenite/json.h"
#include "tools/arenite/program_or_model.h"
#include "tools/compare/made_up_inputs.h"
#include "tools/run/tensor_args.h"

namespace arenite::tools {
namespace {

struct CompareCommand {
  std::string a, b;
  ModelOptions models;
  InputArguments inputs;
  std::string device_a, device_b;
  std::string method;
  std::string tolerance;
  bool json = false;
};

std::string side_text(const Side& side) {
  return side.program + " on " + (side.info.on_vulkan ? side.info.device_name : "the CPU") +
         ", variant for board " + side.info.board;
}

void print_values(const Comparison& comparison) {
  if (comparison.values.empty()) return;
  print("     max abs     max rel  value, and the step of A that writes it\n");
  for (const ComparedValue& value : comparison.values) {
    print("%s %10.3g  %10.3g  %s %s, %s\n", value.difference.agrees() ? " " : "*",
          value.difference.max_abs, value.difference.max_rel, describe(value.key).c_str(),
          describe(value.dtype, value.dims).c_str(), value.node_a.c_str());
  }
}

void print_uncompared(const Comparison& comparison) {
  if (comparison.uncompared.empty()) return;
  print("not compared: %zu\n", comparison.uncompared.size());
  for (const Uncompared& one : comparison.uncompared) {
    print("  %s: %s\n", one.value.c_str(), one.why.c_str());
  }
}

void print_report(const Comparison& comparison, bool made_up) {
  print("A: %s\nB: %s\n", side_text(comparison.a).c_str(), side_text(comparison.b).c_str());
  if (made_up) print("inputs made up: give --input for real ones\n");
  print_values(comparison);
  print_uncompared(comparison);
  for (const Side* side : {&comparison.a, &comparison.b}) {
    if (!side->watching_changed_outputs) continue;
    print("%s: its outputs are others when its steps wait for each other: a race\n",
          side == &comparison.a ? "A" : "B");
  }
  print("%zu values compared; ", comparison.values.size());
  if (!comparison.first) {
    print("none differs more than is tolerable\n");
  } else {
    const ComparedValue& first = comparison.values[*comparison.first];
    print("first difference: %s, written by %s in A, %s in B: %s\n", describe(first.key).c_str(),
          first.node_a.c_str(), first.node_b.c_str(), describe(first.difference).c_str());
  }
  for (const ComparedOutput& output : comparison.outputs) {
    const Difference& apart = output.difference;
    if (apart.agrees()) {
      print("output %s: agrees, max abs %.3g, max rel %.3g\n", printable(output.name).c_str(),
            apart.max_abs, apart.max_rel);
    } else {
      print("output %s: %s\n", printable(output.name).c_str(), describe(apart).c_str());
    }
  }
}

std::vector<HostTensor> compared_inputs(const ProgramFile& file, uint32_t method,
                                        const InputArguments& arguments) {
  auto given = read_inputs(file, method, arguments);
  if (arguments.files.empty() && !given.empty()) return make_up_inputs(file, method);
  BoundInputs bound = bind_inputs(file, method, std::move(given));
  if (bound.stacked) {
    throw InputError("compare runs once: expected inputs without one more leading dimension");
  }
  return std::move(bound.tensors);
}

int run_compare(const CompareCommand& command) {
  const bool alone = command.b.empty();
  std::vector<std::string> paths = {command.a};
  if (!alone) paths.push_back(command.b);
  const auto files = open_programs_or_models(paths, command.models);
  const ProgramFile* const a = files.front().get();
  const ProgramFile& b = *files.back();
  const DeviceChoice device_a = parse_device(command.device_a.empty() ? "cpu" : command.device_a);
  const DeviceChoice device_b = parse_device(!command.device_b.empty() ? command.device_b
                                             : alone                   ? "vulkan"
                                                                       : "cpu");
  const uint32_t method_a = a->find_method(command.method);
  check_comparable(*a, method_a, b, b.find_method(command.method));
  const std::vector<HostTensor> inputs = compared_inputs(*a, method_a, command.inputs);

  VulkanHost vulkan_a(vulkan_options(device_a, "")), vulkan_b(vulkan_options(device_b, ""));
  const Contender of_a{a, {device_a, "", kAutoThreads, command.method}, &vulkan_a};
  const Contender of_b{&b, {device_b, "", kAutoThreads, command.method}, &vulkan_b};
  const Comparison comparison =
      compare_runs(of_a, of_b, inputs, parse_tolerance(command.tolerance));
  if (command.json) {
    print_text(to_json(comparison, command.inputs.files.empty()) + "\n");
  } else {
    print_report(comparison, command.inputs.files.empty());
  }
  return comparison.outputs_agree() ? kDone : kFailed;
}

std::function<int()> declare_compare(Options& options) {
  const auto compare = std::make_shared<CompareCommand>();
  options.add("A", compare->a, "Program, or a model, which is planned for this machine").required();
  options.add("B", compare->b, "What it is compared with (default: A, on Vulkan)");
  add_model_options(options, compare->models);
  add_state_options(options, compare->models);
  add_inputs(options, compare->inputs);
  options.add("--device-a", compare->device_a, "Device for A, as for run (default: cpu)")
      .value_name("DEVICE");
  options
      .add("--device-b", compare->device_b,
           "Device for B, as for run (default: cpu; vulkan where B is left out)")
      .value_name("DEVICE");
  add_method(options, compare->method);
  add_tolerance(options, compare->tolerance);
  add_json(options, compare->json);
  return [compare] { return run_compare(*compare); };
}

}  // namespace

const Command kCompareCommand = {
    .name = "compare",
    .summary = "Run two programs, or one on two devices, and find the first step that differs",
    .examples =
        "arenite compare model.arn\n"
        "arenite compare model.arn model.arn --device-a cpu --device-b vulkan:0 --input x.npy\n"
        "arenite compare before.arn after.arn --input image=photo.jpg --resize --tolerance 1e-5\n"
        "arenite compare model.onnx model.arn --json",
    .declare = declare_compare,
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
