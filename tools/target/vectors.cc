// Reads test vectors, and keeps a board going.
#include "tools/target/vectors.h"

#include <algorithm>

#include "core/sections.h"
#include "support/printable.h"
#include "tools/run/results.h"
#include "tools/run/tensor_args.h"

namespace arenite::tools {
namespace {

// A tensor of a vector, in the one form that the method has for it.
HostTensor tensor_of(std::optional<std::span<const std::byte>> bytes, HostTensor form,
                     const std::string& what) {
  uint64_t wanted = element_bytes(form.dtype);
  for (const uint32_t dim : form.dims) wanted *= dim;
  const size_t found = bytes ? bytes->size() : 0;
  if (!bytes || found != wanted) {
    throw InputError(what + ": expected " + std::to_string(wanted) + " bytes, found " +
                     (bytes ? std::to_string(found) : "none"));
  }
  form.bytes.assign(bytes->begin(), bytes->end());
  return form;
}

Vector bundled_vector(const ProgramFile& file, uint32_t method, uint32_t index) {
  const Program& program = file.program();
  const auto section = program.section(format::SectionKind::kTestVectors);
  const std::string where = file.name() + ", method " + quote(file.method_name(method)) +
                            ", test vector " + std::to_string(index) + ", ";
  Vector vector;
  vector.name = file.method_name(method) + " vector " + std::to_string(index);
  vector.task.method = method;
  std::vector<std::optional<HostTensor>> inputs(program.methods()[method].input_count);
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    if (file.state_of(method, i) != nullptr) continue;
    inputs[i] =
        tensor_of(test_vector_input(section, method, index, i), input_form(program, method, i),
                  where + "input " + quote(file.input_name(method, i)));
  }
  vector.task.inputs = bind_inputs(file, method, std::move(inputs));
  for (uint32_t i = 0; i < program.methods()[method].output_count; ++i) {
    vector.expected.push_back(
        {i,
         tensor_of(test_vector_output(section, method, index, i), output_form(program, method, i),
                   where + "output " + quote(file.output_name(method, i)))});
  }
  return vector;
}

// Rows that hold no results are compared with nothing.
void keep_expected_results(const ProgramFile& file, const Vector& vector,
                           std::vector<HostTensor>& outputs,
                           std::vector<ExpectedOutput>& expected) {
  if (vector.task.inputs.stacked) return;
  if (expected.size() == outputs.size()) {
    std::vector<HostTensor> all(outputs.size());
    for (ExpectedOutput& one : expected) all[one.output] = std::move(one.tensor);
    // Whole, or cut already, as commands write them.
    if (std::ranges::equal(all, outputs, {}, &HostTensor::dims, &HostTensor::dims)) {
      keep_results(file, vector.task.method, all);
    }
    for (ExpectedOutput& one : expected) one.tensor = std::move(all[one.output]);
  }
  keep_results(file, vector.task.method, outputs);
}

void compare(const ProgramFile& file, const Vector& vector, std::vector<HostTensor> outputs,
             const std::optional<Tolerance>& tolerance, VectorResult& result) {
  std::vector<ExpectedOutput> expected = vector.expected;
  keep_expected_results(file, vector, outputs, expected);
  for (const ExpectedOutput& one : expected) {
    result.outputs.push_back({file.output_name(vector.task.method, one.output),
                              difference(one.tensor, outputs[one.output], tolerance)});
  }
}

}  // namespace

std::vector<Vector> bundled_vectors(const ProgramFile& file) {
  std::vector<Vector> vectors;
  const Program& program = file.program();
  const auto section = program.section(format::SectionKind::kTestVectors);
  for (uint32_t m = 0; m < program.methods().size(); ++m) {
    const uint32_t count = test_vector_count(section, m);
    for (uint32_t v = 0; v < count; ++v) vectors.push_back(bundled_vector(file, m, v));
  }
  return vectors;
}

bool VectorResult::passed() const {
  return error.empty() && std::ranges::all_of(outputs, [](const Output& output) {
           return output.difference.agrees();
         });
}

std::string VectorResult::why() const {
  if (!error.empty()) return error;
  std::string text;
  for (const Output& output : outputs) {
    if (output.difference.agrees()) continue;
    text +=
        (text.empty() ? "" : "; ") + printable(output.name) + ": " + describe(output.difference);
  }
  return text;
}

void run_vectors(const planner::Board& board, const ProgramFile& file,
                 std::span<const Vector> vectors, const std::optional<Tolerance>& tolerance,
                 const TargetOptions& options,
                 const std::function<void(const VectorResult& result)>& after) {
  // A board that does not even start twice running will not for the others.
  constexpr int kStartsMax = 2;
  std::vector<TargetTask> tasks;
  for (const Vector& vector : vectors) tasks.push_back(vector.task);
  TargetOptions start = options;
  std::unique_ptr<TargetSession> session;
  size_t first = 0;  // task of the session
  int failed_starts = 0;
  std::string last_error;
  for (size_t v = 0; v < vectors.size(); ++v) {
    VectorResult result;
    result.name = vectors[v].name;
    result.method = file.method_name(vectors[v].task.method);
    try {
      if (failed_starts >= kStartsMax) throw RunError(last_error);
      if (session == nullptr) {
        first = v;
        ++failed_starts;
        session = std::make_unique<TargetSession>(board, file, std::span(tasks).subspan(v), start);
        failed_starts = 0;
      }
      TargetTaskResult done = session->run(v - first);
      result.clock = done.clock_instructions;
      compare(file, vectors[v], std::move(done.outputs), tolerance, result);
    } catch (const RunError& error) {
      result.error = last_error = error.what();
      session.reset();
      start.reset_first = true;
    }
    after(result);
  }
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
