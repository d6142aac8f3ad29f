// Runs a program once and hands out everything its steps write.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tools/compare/written_values.h"
#include "tools/run/runner.h"

namespace arenite::tools {

// Called for each written value, in any order, with its elements in row-major order; without them
// where they are packed in a way of which nothing is known here.
using ValueSink =
    std::function<void(const WrittenValue& written, std::optional<HostTensor> tensor)>;

struct Recording {
  RunInfo info;
  std::vector<HostTensor> outputs;  // of an ordinary run
  // Watching changes nothing but when steps run; this says that it changed an output all the same.
  bool watching_changed_outputs = false;
};

// Bytes of copies that one run keeps.
inline constexpr uint64_t kCopiesBytesMax = uint64_t{256} << 20;

// CPU steps are run one by one, and read right after each. Device steps are watched: copies of
// what they write are made on the device between them (planner/program/watch.h), in as many runs as
// keep these within `copies_bytes_max`. Throws as Runner does; also RunError where a device is
// lost.
Recording record_run(const ProgramFile& file, const RunnerOptions& options, VulkanHost* vulkan,
                     std::span<const HostTensor> inputs, const ValueSink& sink,
                     uint64_t copies_bytes_max = kCopiesBytesMax);

// A value's elements in row-major order. Nothing for packed ones.
std::optional<HostTensor> read_elements(const Tensor& tensor);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
