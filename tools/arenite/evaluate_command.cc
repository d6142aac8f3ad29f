// `arenite evaluate`: how often programs name samples rightly whose classes are known.
#include <algorithm>

#include "support/file.h"
#include "support/output.h"
#include "support/printable.h"
#include "support/progress.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/common_options.h"
#include "tools/arenite/errors.h"
#include "tools/arenite/evaluation_text.h"
#include "tools/arenite/input_files.h"
#include "tools/arenite/json.h"
#include "tools/arenite/labels.h"
#include "tools/arenite/program_or_model.h"
#include "tools/evaluate/evaluation_page.h"
#include "tools/evaluate/sample_files.h"
#include "tools/images/thumbnail.h"
#include "tools/run/sources.h"

namespace arenite::tools {
namespace {

constexpr uint64_t kTopClasses = 5;
constexpr uint32_t kThumbnailSide = 112;

struct EvaluateCommand {
  std::vector<std::string> words;  // programs, and then the samples
  ModelOptions model;
  ImageArguments images;
  LabelArguments labels;
  std::string board;
  std::string device = "auto";
  bool allow_fallback = false;
  std::string threads = "auto";
  std::string method;
  std::string page;
  bool json = false;
};

// The names of --labels, of which each program's output has one for each class, and their output.
struct NamedClasses {
  std::vector<std::string> names;
  uint32_t output = 0;
};

NamedClasses named_classes(const ProgramFile& file, const EvaluateCommand& command) {
  const uint32_t method = file.find_method(command.method);
  if (const auto labels = read_labels(file, method, {command.labels.file, std::nullopt})) {
    return {labels->names, labels->output};
  }
  const uint32_t outputs = file.program().methods()[method].output_count;
  if (outputs == 1) return {};
  throw InputError(file.name() + ": method " + quote(file.method_name(method)) + " has " +
                   std::to_string(outputs) + " outputs; expected --labels OUTPUT=FILE, which " +
                   "says whose elements are classes");
}

// Without names of the output's classes, fewer folders than classes may be any of them.
void expect_all_classes(const LabeledSamples& data, const NamedClasses& named,
                        const ProgramFile& file, const EvaluateCommand& command) {
  if (!named.names.empty() || data.classes_by.ends_with("indices")) return;
  const uint64_t classes =
      class_count(output_form(file.program(), file.find_method(command.method), named.output));
  if (classes <= data.classes.size()) return;
  throw InputError(command.words.back() + ": has " + std::to_string(data.classes.size()) +
                   " classes, and output " +
                   quote(file.output_name(file.find_method(command.method), named.output)) +
                   " of " + file.name() + " has " + std::to_string(classes) +
                   ": which is which is not known; expected --labels FILE with a name on each " +
                   "line, or classes called by their indices");
}

PictureOf picture_of(const ProgramFile& file, const EvaluateCommand& command,
                     const std::string& input, const InputReader& read) {
  const uint32_t method = file.find_method(command.method);
  const HostTensor form = input_form(file.program(), method, file.find_input(method, input));
  const ImageOptions options = parse_image_options(command.images);
  return [=](const LabeledSample& sample, size_t part) {
    const std::vector<std::byte> bytes = read_file(sample.file);
    if (is_image(bytes)) return thumbnail(bytes, sample.file.string(), kThumbnailSide);
    HostTensor tensor = read(sample.file, form, input);
    if (tensor.dims.size() == form.dims.size() + 1 && tensor.dims[0] != 0) {
      const size_t size = tensor.bytes.size() / tensor.dims[0];
      const auto begin = tensor.bytes.begin() + static_cast<ptrdiff_t>(size * part);
      tensor.bytes = {begin, begin + static_cast<ptrdiff_t>(size)};
      tensor.dims.erase(tensor.dims.begin());
    }
    return thumbnail(tensor, options, kThumbnailSide);
  };
}

int run_evaluate(const EvaluateCommand& command) {
  if (command.words.size() < 2) {
    throw UsageError("expected programs, and a folder or .csv file of samples behind them");
  }
  const std::vector<std::string> paths(command.words.begin(), command.words.end() - 1);
  Sources sources;
  sources.add(command.words);
  if (!command.page.empty()) sources.check("--report", command.page);

  Progress progress("evaluate");
  progress.show("planning", 0, 0);
  const auto files = open_programs_or_models(paths, command.model);
  std::vector<ProgramToEvaluate> programs;
  NamedClasses named;
  for (size_t p = 0; p < files.size(); ++p) {
    named = named_classes(*files[p], command);
    programs.push_back({files[p].get(), paths[p], named.output});
  }
  LabeledSamples data = list_labeled_samples(command.words.back(), named.names);
  for (size_t p = 0; p < files.size(); ++p) {
    named.output = programs[p].output;
    expect_all_classes(data, named, *files[p], command);
  }

  const DeviceChoice device = parse_device(command.device, command.allow_fallback);
  VulkanHost vulkan(vulkan_options(device, ""));
  const ImageOptions image_options = parse_image_options(command.images);
  uint32_t images = 0;
  const InputReader read = [&](const std::filesystem::path& path, const HostTensor& form,
                               const std::string& input) {
    return read_input_file(path, form, input, image_options, images);
  };
  const Evaluation evaluation =
      evaluate(programs, std::move(data),
               {device, command.board, parse_threads(command.threads), command.method}, &vulkan,
               read, progress);
  expect_images(command.images, images, "no sample");
  if (!evaluation.data.skipped.empty()) {
    print_error("note", command.words.back() +
                            ": skipped what is no sample: " + some_of(evaluation.data.skipped));
  }
  if (evaluation.order_looks_wrong()) {
    print_error("warning", command.words.back() +
                               ": most samples of each class are found as one other class: the "
                               "model's order of classes seems to be another than that of sorted "
                               "names; give it with --labels FILE");
  }
  const uint64_t top = command.labels.top.value_or(kTopClasses);
  if (!command.page.empty()) {
    const std::string page = evaluation_page(
        evaluation, top, picture_of(*files[0], command, evaluation.programs[0].input, read));
    write_file(command.page, page);
  }
  if (command.json) {
    print_text(to_json(evaluation, top) + "\n");
  } else {
    print_evaluation(evaluation, top);
  }
  return kDone;
}

std::function<int()> declare_evaluate(Options& options) {
  const auto evaluate = std::make_shared<EvaluateCommand>();
  options
      .add("PROGRAM", evaluate->words,
           "Programs, or models, which are planned for this machine; behind them the samples: a "
           "folder with a folder for each class, or a .csv file with columns file and label")
      .value_name("PROGRAM... DIR")
      .required();
  options.add("--board", evaluate->board, "Use only variants planned for this board")
      .value_name("NAME");
  options
      .add("--labels", evaluate->labels.file,
           "Text file with the name of a class on each line, in the order of the output's "
           "elements; without it classes are the sorted names, or numbers. OUTPUT= says which "
           "output of several")
      .value_name("OUTPUT=FILE");
  options
      .add("--top", evaluate->labels.top,
           "Count samples whose class is among the K best, too (default: 5)")
      .value_name("K")
      .range(1, UINT32_MAX);
  add_model_options(options, evaluate->model);
  add_state_options(options, evaluate->model);
  add_image_options(options, evaluate->images);
  add_device(options, evaluate->device);
  add_allow_fallback(options, evaluate->allow_fallback);
  add_threads(options, evaluate->threads);
  add_method(options, evaluate->method);
  options
      .add("--report", evaluate->page,
           "Write a page (HTML) with the pictures in which programs differ or are wrong")
      .value_name("FILE");
  add_json(options, evaluate->json);
  return [evaluate] { return run_evaluate(*evaluate); };
}

}  // namespace

const Command kEvaluateCommand = {
    .name = "evaluate",
    .summary = "Count how often programs are right on samples whose classes are known",
    .examples =
        "arenite evaluate model.arn pictures --resize --scale 1/255\n"
        "arenite evaluate model.onnx model_int8.onnx pictures --resize --scale 1/255 --report "
        "page.html\n"
        "arenite evaluate model.arn answers.csv --labels names.txt --json",
    .declare = declare_evaluate,
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
