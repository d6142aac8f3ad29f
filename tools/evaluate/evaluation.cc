// Feeds samples to programs one after another and compares their best classes with the labels.
#include "tools/evaluate/evaluation.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>

#include "support/printable.h"
#include "tools/io/difference.h"
#include "tools/run/dim_ranges.h"
#include "tools/run/profiler.h"
#include "tools/run/timing.h"

namespace arenite::tools {
namespace {

constexpr char kHint[] = "a classifier gives one score for each class";

// A program that is loaded, and what is known of it so far.
struct Contestant {
  std::unique_ptr<Runner> runner;
  uint32_t input = 0, output = 0;
  // The scale by which floats become the input's integers; null: none do.
  const format::QuantizationRecord* quantization = nullptr;
  double load_ms = 0;
  std::vector<double> times_ms;
};

// The one input that callers feed.
uint32_t input_to_feed(const ProgramFile& file, uint32_t method) {
  std::vector<uint32_t> inputs;
  std::string names;
  for (uint32_t i = 0; i < file.program().methods()[method].input_count; ++i) {
    if (file.state_of(method, i) != nullptr) continue;
    names += (inputs.empty() ? "" : ", ") + quote(file.input_name(method, i));
    inputs.push_back(i);
  }
  if (inputs.size() == 1) return inputs[0];
  throw InputError(
      file.name() + ": method " + quote(file.method_name(method)) + " has " +
      std::to_string(inputs.size()) + " inputs" + (inputs.empty() ? "" : " (" + names + ")") +
      ": expected one, which takes the sample; with 'arenite plan --fix NAME=...' an " +
      "input becomes a constant");
}

void check_classes(const ProgramFile& file, uint32_t method, uint32_t output,
                   const LabeledSamples& data) {
  const HostTensor form = output_form(file.program(), method, output);
  const std::string what = file.name() + ": output " + quote(file.output_name(method, output)) +
                           " " + describe(form.dtype, form.dims);
  const uint64_t classes = class_count(form);
  uint64_t elements = 1;
  for (const uint32_t dim : form.dims) elements *= dim;
  if (elements != classes) {
    throw InputError(what + " has " + std::to_string(elements / std::max<uint64_t>(classes, 1)) +
                     " rows of classes, expected one: " + kHint);
  }
  if (classes < data.classes.size()) {
    throw InputError(what + " has " + std::to_string(classes) + " element" +
                     (classes == 1 ? "" : "s") + ", and the samples have " +
                     std::to_string(data.classes.size()) + " classes: " + kHint);
  }
}

// Quantizes a tensor of float32 to the integers of an input.
HostTensor quantized(const HostTensor& floats, DType dtype,
                     const format::QuantizationRecord& record) {
  float scale = 0;
  std::memcpy(&scale, &record.scale, sizeof scale);
  const bool is_signed = dtype == DType::kInt8 || dtype == DType::kInt16;
  const size_t element = element_bytes(dtype);
  const double range = std::ldexp(1.0, static_cast<int>(8 * element));
  const double low = is_signed ? -range / 2 : 0, high = low + range - 1;
  HostTensor integers{dtype, floats.dims, {}};
  const size_t count = floats.bytes.size() / sizeof(float);
  integers.bytes.resize(count * element);
  for (size_t i = 0; i < count; ++i) {
    const double q = std::nearbyint(number_at(floats, i) / static_cast<double>(scale)) +
                     static_cast<double>(record.zero_point);
    const auto integer =
        static_cast<int32_t>(std::isnan(q) ? record.zero_point : std::clamp(q, low, high));
    std::memcpy(integers.bytes.data() + i * element, &integer, element);  // little-endian
  }
  return integers;
}

bool is_quantized_dtype(DType dtype) {
  return dtype == DType::kInt8 || dtype == DType::kUint8 || dtype == DType::kInt16 ||
         dtype == DType::kUint16;
}

// The number that an element stands for; `record` may be null.
double meaning_of(double element, const format::QuantizationRecord* record) {
  if (record == nullptr) return element;
  float scale = 0;
  std::memcpy(&scale, &record->scale, sizeof scale);
  return (element - static_cast<double>(record->zero_point)) * static_cast<double>(scale);
}

Answer answer_of(const HostTensor& scores, uint64_t row, uint64_t classes, uint64_t label) {
  const auto score = [&](uint64_t c) { return number_at(scores, row * classes + c); };
  Answer answer;
  answer.score = score(0);
  answer.label_score = score(label);
  for (uint64_t c = 0; c < classes; ++c) {
    const double one = score(c);
    if (scores_better(one, answer.score)) {
      answer.found = c;
      answer.score = one;
    }
    const bool equal = !scores_better(answer.label_score, one);
    if (scores_better(one, answer.label_score) || (equal && c < label)) ++answer.rank;
  }
  return answer;
}

class Evaluating {
 public:
  Evaluating(std::span<const ProgramToEvaluate> programs, const LabeledSamples& data,
             const RunnerOptions& options, VulkanHost* vulkan) {
    result_.data.classes = data.classes;
    result_.data.classes_by = data.classes_by;
    result_.data.skipped = data.skipped;
    for (const ProgramToEvaluate& one : programs) load(one, data, options, vulkan);
    const bool floats = std::ranges::any_of(contestants_, [](const Contestant& one) {
      return input_form_of(one).dtype == DType::kFloat32;
    });
    for (size_t p = 0; p < contestants_.size(); ++p) {
      Contestant& one = contestants_[p];
      if (!floats || !is_quantized_dtype(input_form_of(one).dtype)) continue;
      const Runner& runner = *one.runner;
      one.quantization = runner.file().program().quantization_of(runner.method(), one.input);
      result_.programs[p].quantized = one.quantization != nullptr;
    }
  }

  void run(const LabeledSample& sample, const InputReader& read) {
    size_t added = 0;
    for (size_t p = 0; p < contestants_.size(); ++p) {
      const size_t runs = run(contestants_[p], result_.programs[p], sample, read);
      if (p != 0 && runs != added) {
        throw InputError(sample.file.string() + ": holds " + std::to_string(added) +
                         " samples for " + result_.programs[0].program + " and " +
                         std::to_string(runs) + " for " + result_.programs[p].program);
      }
      added = runs;
    }
    for (size_t i = 0; i < added; ++i) {
      LabeledSample one = sample;
      if (added != 1) one.name += "#" + std::to_string(i);
      result_.data.samples.push_back(std::move(one));
    }
  }

  Evaluation finish() {
    for (size_t p = 0; p < contestants_.size(); ++p) {
      const Contestant& one = contestants_[p];
      EvaluatedProgram& program = result_.programs[p];
      program.info = one.runner->info();
      RunTimes& times = program.times;
      times.load_ms = one.load_ms;
      times.first_ms = one.times_ms.front();
      // Drivers and caches wake up in the first run.
      const size_t skip = one.times_ms.size() > 1 ? 1 : 0;
      const std::vector<double> counted(one.times_ms.begin() + static_cast<ptrdiff_t>(skip),
                                        one.times_ms.end());
      times.runs = static_cast<uint32_t>(counted.size());
      times.min_ms = *std::ranges::min_element(counted);
      times.median_ms = median(counted);
      times.p95_ms = percentile_95(counted);
    }
    return std::move(result_);
  }

 private:
  static HostTensor input_form_of(const Contestant& one) {
    return input_form(one.runner->file().program(), one.runner->method(), one.input);
  }

  void load(const ProgramToEvaluate& asked, const LabeledSamples& data,
            const RunnerOptions& options, VulkanHost* vulkan) {
    const ProgramFile& file = *asked.file;
    Contestant one;
    const uint32_t method = file.find_method(options.method);
    one.input = input_to_feed(file, method);
    one.output = asked.output;
    check_classes(file, method, asked.output, data);
    const uint64_t begin_ns = now_ns();
    one.runner = std::make_unique<Runner>(file, options, vulkan);
    one.load_ms = static_cast<double>(now_ns() - begin_ns) / 1e6;
    EvaluatedProgram program;
    program.program = asked.name;
    program.input = file.input_name(method, one.input);
    program.output = file.output_name(method, asked.output);
    program.classes = class_count(output_form(file.program(), method, asked.output));
    result_.programs.push_back(std::move(program));
    contestants_.push_back(std::move(one));
  }

  static size_t run(Contestant& one, EvaluatedProgram& program, const LabeledSample& sample,
                    const InputReader& read) {
    HostTensor form = input_form_of(one);
    const DType dtype = form.dtype;
    if (one.quantization != nullptr) form.dtype = DType::kFloat32;
    HostTensor tensor = read(sample.file, form, program.input);
    if (one.quantization != nullptr && tensor.dtype == DType::kFloat32) {
      tensor = quantized(tensor, dtype, *one.quantization);
    }
    std::vector<std::optional<HostTensor>> given(one.runner->input_count());
    given[one.input] = std::move(tensor);
    BoundInputs inputs;
    try {
      inputs = bind_inputs(*one.runner, std::move(given));
    } catch (const InputError& error) {
      throw InputError(sample.file.string() + ": " + error.what());
    }
    inputs.reset_each = true;
    const uint64_t begin_ns = now_ns();
    const std::vector<HostTensor> outputs = run_bound(*one.runner, inputs);
    const double ms = static_cast<double>(now_ns() - begin_ns) / 1e6;
    const size_t element = element_bytes(outputs[one.output].dtype);
    if (outputs[one.output].bytes.size() != inputs.runs * program.classes * element) {
      throw InputError(sample.file.string() + ": output " + quote(program.output) + " of " +
                       program.program + " has " +
                       describe(outputs[one.output].dtype, outputs[one.output].dims) +
                       " here, expected " + std::to_string(program.classes) + " scores");
    }
    const Runner& runner = *one.runner;
    const format::QuantizationRecord* scale =
        runner.file().program().quantization_of(runner.method(), runner.input_count() + one.output);
    for (uint32_t run = 0; run < inputs.runs; ++run) {
      one.times_ms.push_back(ms / inputs.runs);
      Answer answer = answer_of(outputs[one.output], run, program.classes, sample.label);
      answer.score = meaning_of(answer.score, scale);
      answer.label_score = meaning_of(answer.label_score, scale);
      program.answers.push_back(answer);
    }
    return inputs.runs;
  }

  std::vector<Contestant> contestants_;
  Evaluation result_;
};

}  // namespace

uint64_t class_count(const HostTensor& form) {
  for (size_t d = form.dims.size(); d-- > 0;) {
    if (form.dims[d] != 1) return form.dims[d];
  }
  return 1;
}

bool scores_better(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(b) && !std::isnan(a);
  return a > b;
}

uint64_t EvaluatedProgram::right(uint64_t top) const {
  return static_cast<uint64_t>(
      std::ranges::count_if(answers, [top](const Answer& one) { return one.rank < top; }));
}

bool Evaluation::order_looks_wrong() const {
  if (!data.classes_by.ends_with("sorted")) return false;
  return std::ranges::any_of(programs, [this](const EvaluatedProgram& program) {
    std::map<uint64_t, uint64_t> most;  // samples of a label that are found as one class
    for (const auto& [pair, count] : confusion(program)) {
      most[pair.first] = std::max(most[pair.first], count);
    }
    uint64_t right_at_most = 0;
    for (const auto& [label, count] : most) right_at_most += count;
    return most.size() > 1 && right_at_most > 2 * program.right(1) &&
           2 * right_at_most > data.samples.size();
  });
}

bool Evaluation::differs(size_t sample) const {
  return std::ranges::any_of(programs, [&](const EvaluatedProgram& program) {
    return program.answers[sample].found != programs[0].answers[sample].found;
  });
}

std::vector<ClassCounts> Evaluation::class_counts(const EvaluatedProgram& program) const {
  std::vector<ClassCounts> counts(program.classes);
  for (size_t i = 0; i < data.samples.size(); ++i) {
    const uint64_t label = data.samples[i].label, found = program.answers[i].found;
    ++counts[label].labeled;
    ++counts[found].found;
    if (label == found) ++counts[label].right;
  }
  return counts;
}

std::map<std::pair<uint64_t, uint64_t>, uint64_t> Evaluation::confusion(
    const EvaluatedProgram& program) const {
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> counts;
  for (size_t i = 0; i < data.samples.size(); ++i) {
    ++counts[{data.samples[i].label, program.answers[i].found}];
  }
  return counts;
}

Evaluation evaluate(std::span<const ProgramToEvaluate> programs, LabeledSamples data,
                    const RunnerOptions& options, VulkanHost* vulkan, const InputReader& read,
                    Progress& progress) {
  Evaluating evaluating(programs, data, options, vulkan);
  for (size_t i = 0; i < data.samples.size(); ++i) {
    progress.show("samples", i, data.samples.size());
    evaluating.run(data.samples[i], read);
  }
  return evaluating.finish();
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
