// What the dims of a method's inputs may be: numbers, or symbols that each run may set.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tools/io/tensor.h"
#include "tools/run/program_file.h"
#include "tools/run/runner.h"

namespace arenite::tools {

struct DimRange {
  uint32_t least = 0, most = 0;
  // Of the method's symbols; kNoIndex where the dim is a number, or an expression of some.
  uint32_t symbol = kNoIndex;
};

std::vector<DimRange> input_ranges(const Program& program, uint32_t method, uint32_t input);

// Whether dims are such, of the same rank.
bool lie_in(std::span<const uint32_t> dims, std::span<const DimRange> ranges);

// "float32[1..8,3,224,224]".
std::string describe(DType dtype, std::span<const DimRange> ranges);

// The types and dims of a method's inputs or outputs where its symbols have these numbers, without
// data.
std::vector<HostTensor> input_forms(const Program& program, uint32_t method,
                                    std::span<const uint32_t> symbols);
std::vector<HostTensor> output_forms(const Program& program, uint32_t method,
                                     std::span<const uint32_t> symbols);

// Gives an input of the runner's method these dims, by the symbols that they are; other inputs and
// outputs follow. Throws InputError where it cannot have them.
void set_shape(Runner& runner, uint32_t input, std::span<const uint32_t> dims);

// What the method's symbols are before the first run: the most, or the least of those that states
// change from run to run.
std::vector<uint32_t> first_symbols(const Program& program, uint32_t method);

// Changes the numbers of symbols as a run does in which states grow. False where one would leave
// its range: such a run is refused.
bool grow_symbols(const Program& program, uint32_t method, std::vector<uint32_t>& numbers);

// The numbers of the method's symbols for inputs of such dims, by index, each as input_ranges
// allows it or without elements and dims; those of `now` where no input says. Throws InputError
// where two dims of one symbol differ.
std::vector<uint32_t> symbols_for(const ProgramFile& file, uint32_t method,
                                  std::span<const HostTensor> inputs, std::vector<uint32_t> now);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
