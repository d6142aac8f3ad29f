// What every command that runs a program shares: --input and --output-dir.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/io/tensor.h"
#include "tools/run/program_file.h"
#include "tools/run/runner.h"

namespace arenite::tools {

struct OutputLine {
  std::string name;
  DType dtype = DType::kNone;
  std::vector<uint32_t> dims;
  std::string file;  // empty when not written
};

// Type and dims of a method's input, without data.
HostTensor input_form(const Program& program, uint32_t method, uint32_t input);

// Reads the files of --input ("NAME=FILE", or "FILE" where the method has one input), by input
// index. Throws InputError.
std::vector<std::optional<HostTensor>> read_inputs(const ProgramFile& file, uint32_t method,
                                                   const std::vector<std::string>& arguments,
                                                   const ProtoFormat* proto);

// Writes outputs as .npy to a folder (made when it is missing); with an empty folder only describes
// them.
std::vector<OutputLine> write_outputs(const ProgramFile& file, uint32_t method,
                                      const std::vector<HostTensor>& outputs,
                                      const std::string& folder);

// ARENITE_VK_VALIDATION=1 in the environment switches validation on.
VulkanHostOptions vulkan_options(const DeviceChoice& device, const std::string& pipeline_cache);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
