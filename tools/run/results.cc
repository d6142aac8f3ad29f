// Cuts outputs to the rows that a run filled.
#include "tools/run/results.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "core/sections.h"

namespace arenite::tools {
namespace {

// The count as the output holds it, whatever the file makes it be: 0 to `most`.
uint32_t count_in(const HostTensor& output, uint32_t most) {
  int64_t count = 0;
  if (output.dtype != DType::kInt64 || output.bytes.size() < sizeof(count)) return most;
  std::memcpy(&count, output.bytes.data(), sizeof(count));
  return static_cast<uint32_t>(std::clamp<int64_t>(count, 0, most));
}

void keep_first(HostTensor& tensor, size_t axis, uint32_t rows) {
  if (rows == tensor.dims[axis]) return;
  size_t outer = 1;
  for (size_t i = 0; i < axis; ++i) outer *= tensor.dims[i];
  const size_t whole = tensor.bytes.size() / outer;
  const size_t kept = whole / tensor.dims[axis] * rows;
  for (size_t i = 0; i < outer && kept != 0; ++i) {
    std::memmove(tensor.bytes.data() + i * kept, tensor.bytes.data() + i * whole, kept);
  }
  tensor.bytes.resize(outer * kept);
  tensor.dims[axis] = rows;
}

}  // namespace

std::set<uint32_t> keep_results(const ProgramFile& file, uint32_t method,
                                std::vector<HostTensor>& outputs) {
  std::set<uint32_t> counting;
  const auto counts = file.program().section(format::SectionKind::kCounts);
  for (uint32_t i = 0; i < outputs.size(); ++i) {
    for (uint32_t axis = 0; axis < outputs[i].dims.size(); ++axis) {
      const std::optional<uint32_t> count = count_output(counts, method, i, axis);
      if (!count || *count >= outputs.size() || outputs[i].bytes.empty()) continue;
      keep_first(outputs[i], axis, count_in(outputs[*count], outputs[i].dims[axis]));
      counting.insert(*count);
    }
  }
  return counting;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
