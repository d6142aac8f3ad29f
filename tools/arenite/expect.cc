// Reads the files of expected tensors before the run and compares outputs with them after it.
#include "tools/arenite/expect.h"

#include <algorithm>
#include <cstdio>

#include "core/contract.h"
#include "support/printable.h"
#include "tools/arenite/proto_format.h"
#include "tools/run/tensor_args.h"

namespace arenite::tools {
namespace {

// Dims of an output of one run, or of all runs.
std::vector<uint32_t> whole_dims(const HostTensor& form, const BoundInputs& inputs) {
  std::vector<uint32_t> dims = form.dims;
  if (inputs.stacked) dims.insert(dims.begin(), inputs.runs);
  return dims;
}

// Only integers have steps.
void check_steps(const std::string& tolerance, const std::string& output, DType dtype) {
  const std::optional<Tolerance> parsed = parse_tolerance(tolerance);
  if (!parsed || !parsed->steps || !has(types::kFloatOrDouble, dtype)) return;
  throw InputError("--tolerance " + tolerance + ": output " + quote(output) + " is " +
                   std::string(text_of(dtype)) +
                   ", and steps are those of integers; expected a "
                   "number such as 1e-4");
}

}  // namespace

void add_tolerance(Options& options, std::string& tolerance) {
  options
      .add("--tolerance", tolerance,
           "Elements agree within T * (greatest |expected| of the tensor), integers too (default: "
           "1e-4, 2e-3 for float16, 2e-2 for bfloat16, 0 for integers); 1step: integers, such as "
           "quantized outputs, differ by no more than 1")
      .value_name("T|Nstep")
      .check(tolerance_problem);
}

void add_expect(Options& options, ExpectArguments& arguments) {
  options
      .add("--expect", arguments.files,
           "A tensor file (.npy, .pb or .bin) that an output must agree with, else the exit status "
           "is 1. NAME= may be left out when there is one output")
      .value_name("NAME=FILE");
  add_tolerance(options, arguments.tolerance);
}

std::vector<Expectation> read_expectations(const ProgramFile& file, uint32_t method,
                                           const ExpectArguments& arguments,
                                           const BoundInputs& inputs) {
  if (arguments.files.empty() && !arguments.tolerance.empty()) {
    throw InputError("--tolerance: for --expect, which is not given");
  }
  std::vector<Expectation> expectations;
  for (const std::string& text : arguments.files) {
    const NamedFile argument = parse_output("--expect", file, method, text);
    for (const Expectation& other : expectations) {
      if (other.output == argument.index) {
        throw InputError("--expect " + text + ": " +
                         quote(file.output_name(method, argument.index)) + " is given twice");
      }
    }
    const HostTensor form = output_form(file.program(), method, argument.index);
    check_steps(arguments.tolerance, file.output_name(method, argument.index), form.dtype);
    HostTensor tensor =
        read_tensor(argument.path, form.dtype, whole_dims(form, inputs), &kProtoFormat);
    // .npy and ONNX's test cases hold bfloat16 as its bits.
    if (form.dtype == DType::kBfloat16 && tensor.dtype == DType::kUint16) {
      tensor.dtype = form.dtype;
    }
    expectations.push_back({argument.index, argument.path, std::move(tensor)});
  }
  return expectations;
}

std::vector<ExpectLine> check_expectations(const ProgramFile& file, uint32_t method,
                                           const std::vector<Expectation>& expectations,
                                           const std::vector<HostTensor>& outputs,
                                           const std::optional<Tolerance>& tolerance) {
  std::vector<ExpectLine> lines;
  lines.reserve(expectations.size());
  for (const Expectation& one : expectations) {
    lines.push_back({file.output_name(method, one.output), one.file,
                     difference(one.tensor, outputs[one.output], tolerance)});
  }
  return lines;
}

std::string to_text(const ExpectLine& line) {
  if (!line.difference.agrees()) {
    return printable(line.output) + ": not as in " + line.file + ": " + describe(line.difference);
  }
  char figures[80];
  std::snprintf(figures, sizeof figures, " (max abs %.3g, max rel %.3g)", line.difference.max_abs,
                line.difference.max_rel);
  return printable(line.output) + ": as in " + line.file + figures;
}

bool all_agree(const std::vector<ExpectLine>& lines) {
  return std::all_of(lines.begin(), lines.end(),
                     [](const ExpectLine& line) { return line.difference.agrees(); });
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
