// Reads values right after the steps that write them, on the CPU and on devices.
#include "tools/compare/recording.h"

#include <cstring>

#include "planner/program/watch.h"

namespace arenite::tools {
namespace {

bool same_bits(const std::vector<HostTensor>& a, const std::vector<HostTensor>& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].bytes != b[i].bytes) return false;
  }
  return true;
}

class Recorder {
 public:
  Recorder(const ProgramFile& file, const RunnerOptions& options, VulkanHost* vulkan,
           std::span<const HostTensor> inputs, const ValueSink& sink, uint64_t copies_bytes_max)
      : file_(file),
        options_(options),
        vulkan_(vulkan),
        inputs_(inputs),
        sink_(sink),
        copies_bytes_max_(copies_bytes_max) {}

  Recording run() {
    {
      Runner runner(file_, options_, vulkan_);
      recording_.info = runner.info();
      method_ = runner.method();
      variant_ = runner.variant();
      written_ = written_values(file_, method_, variant_);
      if (!recording_.info.on_vulkan) {
        recording_.outputs = run_by_steps(runner, {});
        return std::move(recording_);
      }
      recording_.outputs = runner.run(inputs_);
      if (!runner.info().on_vulkan) {
        throw RunError(file_.name() + ": " + runner.info().fell_back.value_or("a lost device"));
      }
    }
    watch_device_steps();
    return std::move(recording_);
  }

 private:
  bool on_device(const WrittenValue& written) const {
    const Program& program = file_.program();
    const auto& variant = program.variants()[program.methods()[method_].variant_first + variant_];
    const auto where = program.steps_of(variant)[written.step].where;
    return static_cast<format::Where>(where) == format::Where::kVulkan;
  }

  uint64_t bytes_of(const WrittenValue& written) const {
    const Program& program = file_.program();
    const auto& variant = program.variants()[program.methods()[method_].variant_first + variant_];
    return program.values_of(variant)[written.value].bytes;
  }

  // Hands out what CPU steps write. `old_steps` says which step of ours each one is, where they are
  // other ones.
  std::vector<HostTensor> run_by_steps(Runner& runner, std::span<const uint32_t> old_steps) {
    size_t next = 0;
    return runner.run_by_steps(inputs_, [&](const Instance& instance, uint32_t first) {
      const uint32_t step = old_steps.empty() ? first : old_steps[first];
      if (step == kNoIndex) return;
      while (next < written_.size() && written_[next].step < step) ++next;
      for (; next < written_.size() && written_[next].step == step; ++next) {
        if (on_device(written_[next])) continue;
        sink_(written_[next], read_elements(tensor_of(instance.bindings(), written_[next].value)));
      }
    });
  }

  // The values that one run has to keep.
  struct Share {
    std::vector<planner::Written> watched;
    std::vector<const WrittenValue*> values;
    uint64_t bytes = 0;
  };

  void watch_device_steps() {
    std::vector<Share> shares(1);
    for (const WrittenValue& written : written_) {
      if (!on_device(written)) continue;
      const uint64_t bytes = bytes_of(written);
      if (shares.back().bytes + bytes > copies_bytes_max_ && !shares.back().values.empty()) {
        shares.emplace_back();
      }
      shares.back().watched.push_back({written.value, written.step});
      shares.back().values.push_back(&written);
      shares.back().bytes += bytes;
    }
    for (size_t i = 0; i < shares.size() && !written_.empty(); ++i) watch(shares[i], i == 0);
  }

  // One run. The first also hands out what CPU steps write.
  void watch(const Share& share, bool first) {
    const planner::WatchedProgram watched =
        planner::watch(file_.program(), method_, variant_, share.watched);
    const ProgramFile file(watched.program, file_.name() + ", watched");
    RunnerOptions options = options_;
    options.method.clear();
    Runner runner(file, options, vulkan_);
    const std::vector<HostTensor> outputs =
        first ? run_by_steps(runner, watched.old_steps) : runner.run(inputs_);
    if (!same_bits(outputs, recording_.outputs)) recording_.watching_changed_outputs = true;
    for (size_t i = 0; i < share.values.size(); ++i) {
      sink_(*share.values[i],
            read_elements(tensor_of(runner.instance().bindings(), watched.copies[i])));
    }
  }

  const ProgramFile& file_;
  const RunnerOptions& options_;
  VulkanHost* vulkan_;
  const std::span<const HostTensor> inputs_;
  const ValueSink& sink_;
  const uint64_t copies_bytes_max_;
  uint32_t method_ = 0, variant_ = 0;
  std::vector<WrittenValue> written_;
  Recording recording_;
};

}  // namespace

std::optional<HostTensor> read_elements(const Tensor& tensor) {
  if (tensor.layout() != Layout::kStrided) return std::nullopt;
  HostTensor result{tensor.dtype(), {tensor.dims, tensor.dims + tensor.rank()}, {}};
  const size_t element = element_bytes(tensor.dtype());
  const uint64_t count = element_count(tensor);
  result.bytes.resize(count * element);
  std::vector<uint32_t> index(tensor.rank(), 0);
  uint64_t from = 0;  // elements
  for (uint64_t i = 0; i < count; ++i) {
    std::memcpy(result.bytes.data() + i * element, tensor.data + from * element, element);
    for (size_t d = tensor.rank(); d-- > 0;) {
      from += tensor.strides[d];
      if (++index[d] < tensor.dims[d]) break;
      from -= uint64_t{tensor.strides[d]} * index[d];
      index[d] = 0;
    }
  }
  return result;
}

Recording record_run(const ProgramFile& file, const RunnerOptions& options, VulkanHost* vulkan,
                     std::span<const HostTensor> inputs, const ValueSink& sink,
                     uint64_t copies_bytes_max) {
  return Recorder(file, options, vulkan, inputs, sink, copies_bytes_max).run();
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
