// Matches the tensors a user gives with a method's inputs, one run or many.
#include <algorithm>

#include "support/printable.h"
#include "tools/run/dim_ranges.h"
#include "tools/run/inputs_error.h"
#include "tools/run/reshape.h"
#include "tools/run/results.h"
#include "tools/run/runner.h"
#include "tools/run/tensor_args.h"

namespace arenite::tools {
namespace {

// Whether `dims` are such as `ranges` allows, with one more leading dimension.
bool is_stack_of(std::span<const uint32_t> dims, std::span<const DimRange> ranges) {
  return dims.size() == ranges.size() + 1 && lie_in(dims.subspan(1), ranges);
}

HostTensor slice(const HostTensor& stack, uint32_t index, uint32_t count) {
  HostTensor one;
  if (stack.bytes.empty() && stack.dims.empty()) return one;  // a state
  one.dtype = stack.dtype;
  one.dims.assign(stack.dims.begin() + 1, stack.dims.end());
  const size_t bytes = stack.bytes.size() / count;
  const auto from = stack.bytes.begin() + static_cast<ptrdiff_t>(bytes * index);
  one.bytes.assign(from, from + static_cast<ptrdiff_t>(bytes));
  return one;
}

std::string advice(const HostTensor& found, const HostTensor& form) {
  const std::string text = reshape_advice(found, form.dtype, form.dims);
  return text.empty() ? "" : "; " + text;
}

}  // namespace

BoundInputs bind_inputs(const Runner& runner, std::vector<std::optional<HostTensor>> given) {
  return bind_inputs(runner.file(), runner.method(), std::move(given));
}

BoundInputs bind_inputs(const ProgramFile& file, uint32_t method,
                        std::vector<std::optional<HostTensor>> given) {
  BoundInputs bound;
  given.resize(file.program().methods()[method].input_count);
  std::string missing, example;  // the words that would give it
  bool first = true;
  for (uint32_t i = 0; i < given.size(); ++i) {
    if (file.state_of(method, i) != nullptr) {
      bound.tensors.emplace_back();
      continue;
    }
    const std::string name = file.input_name(method, i);
    const HostTensor form = input_form(file.program(), method, i);
    const std::vector<DimRange> ranges = input_ranges(file.program(), method, i);
    if (!given[i]) {
      missing +=
          (missing.empty() ? "" : ", ") + printable(name) + " " + describe(form.dtype, ranges);
      example += " --input " + file_stem(name) + "=FILE.npy";
      continue;
    }
    const HostTensor& tensor = *given[i];
    const bool stacked = is_stack_of(tensor.dims, ranges);
    if (tensor.dtype != form.dtype || (!lie_in(tensor.dims, ranges) && !stacked)) {
      throw InputsError("input " + quote(name) + ": expected " + describe(form.dtype, ranges) +
                        ", or with one more leading dimension; found " +
                        describe(tensor.dtype, tensor.dims) + advice(tensor, form));
    }
    const uint32_t runs = stacked ? tensor.dims[0] : 1;
    if (runs == 0)
      throw InputsError("input " + quote(name) + ": its leading dimension asks for 0 runs");
    if (!first && (stacked != bound.stacked || runs != bound.runs)) {
      throw InputsError("input " + quote(name) + ": asks for " + std::to_string(runs) +
                        " run(s) while the inputs before ask for " + std::to_string(bound.runs) +
                        "; give all inputs the same leading dimension or none");
    }
    first = false;
    bound.stacked = stacked;
    bound.runs = runs;
    bound.tensors.push_back(tensor);
  }
  if (!missing.empty())
    throw InputsError("missing --input for: " + missing + "; expected" + example);
  return bound;
}

std::vector<HostTensor> run_bound(Runner& runner, const BoundInputs& inputs) {
  runner.reset_states();
  if (!inputs.stacked) {
    std::vector<HostTensor> outputs = runner.run(inputs.tensors);
    keep_results(runner.file(), runner.method(), outputs);
    return outputs;
  }
  std::vector<HostTensor> stacked;
  std::vector<bool> grows(runner.output_count());  // its dims differ from run to run
  for (uint32_t r = 0; r < inputs.runs; ++r) {
    std::vector<HostTensor> one;
    one.reserve(inputs.tensors.size());
    for (const HostTensor& tensor : inputs.tensors) one.push_back(slice(tensor, r, inputs.runs));
    if (inputs.reset_each) runner.reset_states();
    std::vector<HostTensor> outputs = runner.run(one);
    if (r == 0) {
      stacked = outputs;
      for (HostTensor& tensor : stacked) tensor.dims.insert(tensor.dims.begin(), inputs.runs);
      continue;
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
      // Such are no stack: the last is kept, as states keep it.
      grows[i] =
          grows[i] || !std::ranges::equal(outputs[i].dims, std::span(stacked[i].dims).subspan(1));
      if (grows[i]) {
        stacked[i] = std::move(outputs[i]);
        continue;
      }
      stacked[i].bytes.insert(stacked[i].bytes.end(), outputs[i].bytes.begin(),
                              outputs[i].bytes.end());
    }
  }
  return stacked;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
