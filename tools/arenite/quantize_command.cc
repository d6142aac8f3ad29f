// `arenite quantize`: makes an integer model of an ONNX model of floats.
#include <cmath>
#include <limits>

#include "planner/quantizer/quantizer.h"
#include "support/file.h"
#include "support/output.h"
#include "support/printable.h"
#include "support/shell_text.h"
#include "tools/arenite/calibration.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/common_options.h"
#include "tools/arenite/input_files.h"
#include "tools/arenite/json.h"
#include "tools/arenite/model_error.h"
#include "tools/arenite/model_options.h"
#include "tools/evaluate/sample_files.h"
#include "tools/run/sources.h"

namespace arenite::tools {
namespace {

// Ranges that fewer samples show are often too narrow.
constexpr size_t kSamplesWanted = 32;

struct QuantizeCommand {
  std::string model, calibration, output;
  std::string ranges = "minmax";
  std::string bias_correction = "on";
  double percentile = 99.99;
  ModelOptions given;
  ImageArguments images;
  bool json = false;
};

planner::QuantizerOptions options_of(const QuantizeCommand& command) {
  planner::QuantizerOptions options;
  if (command.ranges == "percentile") options.ranges = planner::RangeMethod::kPercentile;
  if (command.ranges == "entropy") options.ranges = planner::RangeMethod::kEntropy;
  if (!(command.percentile > 50 && command.percentile <= 100)) {
    throw InputError("--percentile: expected a number above 50, at most 100");
  }
  options.percentile = command.percentile;
  options.bias_correction = command.bias_correction == "on";
  return options;
}

std::vector<std::byte> read_onnx(const std::string& path) {
  std::vector<std::byte> file = read_file(path);
  constexpr size_t kIdentifierAt = 4;
  constexpr std::string_view kIdentifier = "TFL3";
  const auto* text = reinterpret_cast<const char*>(file.data());
  const bool tflite = file.size() >= kIdentifierAt + kIdentifier.size() &&
                      std::string_view(text + kIdentifierAt, kIdentifier.size()) == kIdentifier;
  if (tflite || std::filesystem::path(path).extension() == ".tflite") {
    throw InputError(
        path +
        ": is a TensorFlow Lite model; models are quantized in ONNX: convert it first, "
        "or use TensorFlow's converter, whose quantized models are read");
  }
  return file;
}

std::string decibels(double value) {
  if (std::isinf(value)) return "exact";
  char text[32];
  std::snprintf(text, sizeof text, "%.1f dB", value);
  return text;
}

void print_report(const planner::QuantizedModel& model, const QuantizeCommand& command,
                  size_t samples) {
  print("%-32s %-18s %12s %6s %12s %12s %9s\n", "result of", "op", "scale", "zero", "max |x|",
        "max error", "SQNR");
  for (const planner::TensorCost& tensor : model.tensors) {
    print("%-32s %-18s %12.6g %6d %12.6g %12.6g %9s\n", tensor.node.c_str(), tensor.op.c_str(),
          tensor.scale, tensor.zero_point, tensor.max_abs, tensor.max_error,
          decibels(tensor.sqnr_db).c_str());
  }
  for (const planner::OutputCost& cost : model.outputs) {
    print("output %s: max |x| %.6g, max error %.6g, %s; greatest element the same in %u of %u\n",
          printable(cost.name).c_str(), cost.max_abs, cost.max_error,
          decibels(cost.sqnr_db).c_str(), cost.same_top, cost.samples);
  }
  print("%u nodes on integers, %zu stay float", model.integer_nodes, model.float_nodes.size());
  for (size_t i = 0; i < model.float_nodes.size(); ++i) {
    print("%s%s", i == 0 ? ": " : ", ", model.float_nodes[i].c_str());
  }
  print("\n%s: %zu bytes, ranges by %zu samples\n", command.output.c_str(), model.file.size(),
        samples);
  // DIR: samples whose classes are known.
  std::vector<std::string> next = {"arenite", "evaluate", command.model, command.output, "DIR"};
  const std::vector<std::string> images = image_option_words(command.images);
  next.insert(next.end(), images.begin(), images.end());
  print_text("next: " + shell_text(next) + "\n");
}

int run_quantize(const QuantizeCommand& command) {
  check_output(command.output, command.json, "", false);
  Sources sources;
  add_models(sources, {&command.model, 1});
  sources.add(command.given.fixed);
  sources.check("-o", command.output);
  const planner::QuantizerOptions options = options_of(command);
  const std::vector<std::byte> file = read_onnx(command.model);
  GivenOptions given(command.given);
  planner::QuantizedModel model;
  Calibration calibration;
  Progress progress("quantize");
  try {
    const planner::ImportOptions import = given.of_model(command.model, file, true);
    const planner::Graph graph = planner::import_onnx(file, import);
    calibration = read_samples(command.calibration, graph, command.images);
    model = planner::quantize_onnx(file, import, calibration.samples, options, progress.hook());
  } catch (const planner::ObstaclesError&) {
    throw;
  } catch (const InputError& error) {
    const std::string what = error.what();
    if (what.starts_with(command.calibration)) throw;
    fail_of_model(command.model + ": ", command.model, file, error);
  }
  write_file(command.output, model.file);
  if (!calibration.skipped.empty()) {
    print_error("note", command.calibration +
                            ": skipped what is no sample: " + some_of(calibration.skipped));
  }
  const size_t samples = calibration.samples.size();
  if (samples < kSamplesWanted) {
    print_error("warning", command.calibration + ": has " + std::to_string(samples) +
                               " samples; ranges seen in fewer than " +
                               std::to_string(kSamplesWanted) + " are often too narrow");
  }
  if (command.json) {
    print_text(to_json(model, command.output, samples) + "\n");
  } else if (!is_standard_output(command.output)) {
    print_report(model, command, samples);
  }
  return kDone;
}

std::function<int()> declare_quantize(Options& options) {
  const auto quantize = std::make_shared<QuantizeCommand>();
  options.add("MODEL", quantize->model, "ONNX model of floats").required();
  options
      .add("--calibration", quantize->calibration,
           "Folder with samples of what the model will see: a tensor (.npy, .pb, .bin) or image "
           "each, or a folder each with a file for every input")
      .value_name("DIR")
      .required();
  add_output(options, quantize->output, "Integer model to write; - is standard output")
      .value_name("OUT.onnx")
      .required();
  options
      .add("--ranges", quantize->ranges,
           "What integers cover: all elements seen (minmax), all but the rarest (percentile), or "
           "where least information is lost (entropy)")
      .one_of({"minmax", "percentile", "entropy"})
      .shows_default();
  options
      .add("--percentile", quantize->percentile,
           "Share of elements that ranges hold, for --ranges percentile")
      .value_name("P")
      .shows_default();
  options
      .add("--bias-correction", quantize->bias_correction,
           "Move biases by the mean error that rounded weights make")
      .one_of({"on", "off"})
      .shows_default();
  add_model_options(options, quantize->given);
  add_image_options(options, quantize->images);
  add_json(options, quantize->json);
  return [quantize] { return run_quantize(*quantize); };
}

}  // namespace

const Command kQuantizeCommand = {
    .name = "quantize",
    .summary = "Make an integer model of an ONNX model of floats",
    .examples =
        "arenite quantize model.onnx --calibration samples -o model_int8.onnx\n"
        "arenite quantize model.onnx --calibration photos --resize --scale 1/255 -o "
        "model_int8.onnx",
    .declare = declare_quantize,
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
