// Reads --input files and writes --output-dir files.
#include "tools/run/tensor_args.h"

#include <algorithm>
#include <set>
#include <system_error>

#include "support/printable.h"
#include "support/word_errors.h"
#include "tools/run/inputs_error.h"

namespace arenite::tools {
namespace {

NamedFile parse_named_file(const std::string& option, const char* what, const std::string& text,
                           const std::vector<std::string>& names,
                           const std::function<uint32_t(const std::string& name)>& find) {
  // A tensor's name may hold '=', a path seldom does: the longest name that is known wins.
  for (size_t at = text.rfind('='); at != std::string::npos && at != 0;
       at = text.rfind('=', at - 1)) {
    const auto known = std::find(names.begin(), names.end(), text.substr(0, at));
    if (known != names.end()) {
      return {static_cast<uint32_t>(known - names.begin()), text.substr(at + 1)};
    }
  }
  const size_t first = text.find('=');
  if (first != std::string::npos) return {find(text.substr(0, first)), text.substr(first + 1)};
  if (names.size() != 1) {
    std::string message = option;
    message.append(" ").append(text).append(": expected NAME=FILE, as the method has ");
    message.append(std::to_string(names.size())).append(" ").append(what).append("s");
    throw InputError(message);
  }
  return {0, text};
}

HostTensor form_of(const Program& program, const format::VariantRecord& variant, uint32_t value) {
  const format::ValueRecord& form = program.values_of(variant)[value];
  const auto dims = program.shapes().subspan(form.shape, form.rank);
  return {static_cast<DType>(form.dtype), {dims.begin(), dims.end()}, {}};
}

}  // namespace

HostTensor input_form(const Program& program, uint32_t method, uint32_t input) {
  const format::MethodRecord& record = program.methods()[method];
  const format::VariantRecord& variant = program.variants()[record.variant_first];
  return form_of(program, variant, program.inputs_of(record, variant)[input]);
}

HostTensor output_form(const Program& program, uint32_t method, uint32_t output) {
  const format::MethodRecord& record = program.methods()[method];
  const format::VariantRecord& variant = program.variants()[record.variant_first];
  return form_of(program, variant, program.outputs_of(record, variant)[output]);
}

NamedFile parse_input(const ProgramFile& file, uint32_t method, const std::string& text) {
  const std::vector<std::string> names = file.input_names(method);
  std::vector<uint32_t> fed;
  for (uint32_t i = 0; i < names.size(); ++i) {
    if (file.state_of(method, i) == nullptr) fed.push_back(i);
  }
  const bool named = std::ranges::any_of(
      names, [&](const std::string& name) { return text.starts_with(name + "="); });
  // The only one that is no state needs no name.
  if (fed.size() == 1 && !named && text.find('=') == std::string::npos) return {fed[0], text};
  return parse_named_file("--input", "input", text, names,
                          [&](const std::string& name) { return file.find_input(method, name); });
}

NamedFile parse_output(const std::string& option, const ProgramFile& file, uint32_t method,
                       const std::string& text) {
  const auto find = [&](const std::string& name) { return file.find_output(option, method, name); };
  return parse_named_file(option, "output", text, file.output_names(method), find);
}

std::vector<std::optional<HostTensor>> read_inputs(const ProgramFile& file, uint32_t method,
                                                   const std::vector<std::string>& arguments,
                                                   const InputReader& read) {
  std::vector<std::optional<HostTensor>> inputs(file.program().methods()[method].input_count);
  for (const std::string& text : arguments) {
    const NamedFile argument = parse_input(file, method, text);
    if (const format::StateRecord* state = file.state_of(method, argument.index)) {
      throw InputsError("--input " + text + ": " + quote(file.input_name(method, argument.index)) +
                        " is a state, which takes what " +
                        (state->output == kNoIndex
                             ? "a run of another method leaves it"
                             : "output " + quote(file.output_name(method, state->output)) +
                                   " held at the end of the run before") +
                        "; expected inputs alone, or a plan without that state");
    }
    if (inputs[argument.index]) {
      throw InputsError("--input " + text + ": " + quote(file.input_name(method, argument.index)) +
                        " is given twice");
    }
    inputs[argument.index] = read(argument.path, input_form(file.program(), method, argument.index),
                                  file.input_name(method, argument.index));
  }
  return inputs;
}

std::vector<std::optional<HostTensor>> read_inputs(const ProgramFile& file, uint32_t method,
                                                   const std::vector<std::string>& arguments,
                                                   const ProtoFormat* proto) {
  return read_inputs(file, method, arguments,
                     [proto](const std::filesystem::path& path, const HostTensor& form,
                             const std::string& /*input*/) {
                       return read_tensor(path, form.dtype, form.dims, proto);
                     });
}

std::string to_text(const OutputLine& output) {
  return printable(output.name) + " " + describe(output.dtype, output.dims) +
         (output.file.empty() ? "" : " -> " + output.file) + "\n";
}

std::vector<OutputLine> write_outputs(const ProgramFile& file, uint32_t method,
                                      const std::vector<HostTensor>& outputs,
                                      const std::string& folder, const Sources& sources) {
  std::vector<OutputLine> lines;
  std::set<std::string> taken;
  if (!folder.empty()) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw UnwritableError("--output-dir " + folder, folder, error.value());
  }
  for (uint32_t i = 0; i < outputs.size(); ++i) {
    const HostTensor& tensor = outputs[i];
    OutputLine line{file.output_name(method, i), tensor.dtype, tensor.dims, ""};
    if (!folder.empty()) {
      std::string stem = file_stem(line.name);
      if (stem.empty() || stem == "." || stem == "..") stem = "output";
      std::string name = stem;
      for (uint32_t n = 2; !taken.insert(name).second; ++n) name = stem + "_" + std::to_string(n);
      const std::filesystem::path path = std::filesystem::path(folder) / (name + ".npy");
      sources.check("--output-dir " + folder + ":", path);
      line.file = path.string();
    }
    lines.push_back(std::move(line));
  }
  for (size_t i = 0; i < lines.size() && !folder.empty(); ++i) {
    write_tensor(lines[i].file, lines[i].name, outputs[i], nullptr);
  }
  return lines;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
