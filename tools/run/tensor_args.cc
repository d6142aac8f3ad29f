// Reads --input files and writes --output-dir files.
#include "tools/run/tensor_args.h"

#include <cstdlib>
#include <cstring>
#include <set>
#include <system_error>

namespace arenite::tools {
namespace {

struct InputArgument {
  uint32_t input;
  std::string path;
};

InputArgument parse_input(const ProgramFile& file, uint32_t method, const std::string& text) {
  const uint32_t count = file.program().methods()[method].input_count;
  // A tensor's name may hold '=', a path seldom does: the longest name that is an input wins.
  for (size_t at = text.rfind('='); at != std::string::npos && at != 0;
       at = text.rfind('=', at - 1)) {
    const std::string name = text.substr(0, at);
    for (uint32_t i = 0; i < count; ++i) {
      if (file.input_name(method, i) == name) return {i, text.substr(at + 1)};
    }
  }
  const size_t first = text.find('=');
  if (first == std::string::npos) {
    if (count != 1) {
      throw InputError("--input " + text + ": expected NAME=FILE, as the method has " +
                       std::to_string(count) + " inputs");
    }
    return {0, text};
  }
  return {file.find_input(method, text.substr(0, first)), text.substr(first + 1)};
}

}  // namespace

HostTensor input_form(const Program& program, uint32_t method, uint32_t input) {
  const format::MethodRecord& record = program.methods()[method];
  const format::VariantRecord& variant = program.variants()[record.variant_first];
  const uint32_t value = program.inputs_of(record, variant)[input];
  const format::ValueRecord& form = program.values_of(variant)[value];
  const auto dims = program.shapes().subspan(form.shape, form.rank);
  return {static_cast<DType>(form.dtype), {dims.begin(), dims.end()}, {}};
}

std::vector<std::optional<HostTensor>> read_inputs(const ProgramFile& file, uint32_t method,
                                                   const std::vector<std::string>& arguments,
                                                   const ProtoFormat* proto) {
  std::vector<std::optional<HostTensor>> inputs(file.program().methods()[method].input_count);
  for (const std::string& text : arguments) {
    const InputArgument argument = parse_input(file, method, text);
    if (inputs[argument.input]) {
      throw InputError("--input " + text + ": '" + file.input_name(method, argument.input) +
                       "' is given twice");
    }
    const HostTensor form = input_form(file.program(), method, argument.input);
    inputs[argument.input] = read_tensor(argument.path, form.dtype, form.dims, proto);
  }
  return inputs;
}

std::vector<OutputLine> write_outputs(const ProgramFile& file, uint32_t method,
                                      const std::vector<HostTensor>& outputs,
                                      const std::string& folder) {
  std::vector<OutputLine> lines;
  std::set<std::string> taken;
  if (!folder.empty()) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw OutputError("--output-dir " + folder, error.value());
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
      write_tensor(path, line.name, tensor, nullptr);
      line.file = path.string();
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

VulkanHostOptions vulkan_options(const DeviceChoice& device, const std::string& pipeline_cache) {
  VulkanHostOptions options;
  options.device = device.vulkan_device;
  options.pipeline_cache = pipeline_cache;
  const char* validation = std::getenv("ARENITE_VK_VALIDATION");
  options.validation = validation != nullptr && std::strcmp(validation, "1") == 0;
  return options;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
