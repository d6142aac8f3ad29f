// The arguments that all commands which run a program share: --input and --output-dir.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/io/tensor.h"
#include "tools/run/program_file.h"
#include "tools/run/runner.h"
#include "tools/run/sources.h"

namespace arenite::tools {

struct OutputLine {
  std::string name;
  DType dtype = DType::kNone;
  std::vector<uint32_t> dims;
  std::string file;  // empty when not written
};

// "y float32[1,10] -> out/y.npy" and a line's end.
std::string to_text(const OutputLine& output);

// Type and dims of a method's input or output, without data.
HostTensor input_form(const Program& program, uint32_t method, uint32_t input);
HostTensor output_form(const Program& program, uint32_t method, uint32_t output);

// "NAME=FILE", or "FILE" where the method has one such tensor.
struct NamedFile {
  uint32_t index = 0;  // of the input or output
  std::string path;
};
// Throw InputError that begins with the option.
NamedFile parse_input(const ProgramFile& file, uint32_t method, const std::string& text);
NamedFile parse_output(const std::string& option, const ProgramFile& file, uint32_t method,
                       const std::string& text);

// Reads one file as the input `form` (type and dims) takes it.
using InputReader = std::function<HostTensor(const std::filesystem::path& path,
                                             const HostTensor& form, const std::string& input)>;

// Reads the files of --input, by input index. Throws InputError.
std::vector<std::optional<HostTensor>> read_inputs(const ProgramFile& file, uint32_t method,
                                                   const std::vector<std::string>& arguments,
                                                   const InputReader& read);
// With tensor files alone.
std::vector<std::optional<HostTensor>> read_inputs(const ProgramFile& file, uint32_t method,
                                                   const std::vector<std::string>& arguments,
                                                   const ProtoFormat* proto);

// Writes outputs as .npy to a folder (made when it is missing); with an empty folder only describes
// them. Throws InputError, and writes none, where one would replace a file of `sources`.
std::vector<OutputLine> write_outputs(const ProgramFile& file, uint32_t method,
                                      const std::vector<HostTensor>& outputs,
                                      const std::string& folder, const Sources& sources);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
