// Turns steps into commands: barrier, bind, push, dispatch; or barrier, copy.
#include "vk/record.h"

#include <algorithm>
#include <cstring>

#include "core/shape.h"
#include "kernels/dispatch/binding.h"
#include "kernels/shader_table.h"
#include "vk/commands.h"
#include "vk/elide.h"
#include "vk/flags.h"
#include "vk/objects.h"
#include "vk/problem.h"
#include "vk/staging.h"
#include "vk/timestamps.h"

namespace arenite::vk {
namespace {

constexpr VkPipelineStageFlags kWorkStages =
    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
constexpr VkAccessFlags kWrites = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
constexpr VkAccessFlags kReads =
    VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_UNIFORM_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;

class Recorder {
 public:
  explicit Recorder(const Recording& recording)
      : device_(recording.device),
        task_(recording.task),
        pools_(recording.pools),
        queries_(recording.queries),
        fence_(recording.fence),
        state_(recording.state),
        counters_(recording.counters) {}

  Status stretch(Stretch& stretch);
  // After the last stretch, with how recording went.
  Status finish(Status status);

 private:
  Status step(uint32_t index);
  Status dispatch(const Dispatch& dispatch);
  // The next flag, which speaks of the value `indices`.
  Status take_flag(uint32_t indices, BufferRange& range);
  Status transfer(const Step& step);
  Status write_parameters(const Dispatch& dispatch, BufferRange& range);
  Status locate(uint32_t operand, BufferRange& range) const;
  Status locate_for_shader(uint32_t value, BufferRange& range) const;
  Status locate_uniform(uint32_t value, BufferRange& range) const;
  // Records the barrier that the plan asked for since the last command, if it did.
  void settle_barrier();
  void barrier(VkPipelineStageFlags to, VkAccessFlags access) const;

  Device& device_;
  const Task& task_;
  const DescriptorPools& pools_;
  const VkQueryPool queries_;
  const VkFence fence_;
  const State& state_;
  RecordCounters& counters_;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  Stager stager_;
  uint64_t parameters_at_ = 0;  // where the next block lies
  uint32_t next_flag_ = 0;
  uint32_t step_ = 0;  // that is recorded
  size_t bound_pipeline_ = 0;
  bool barrier_pending_ = false;
  bool empty_ = true;
};

void Recorder::barrier(VkPipelineStageFlags to, VkAccessFlags access) const {
  VkMemoryBarrier memory{};
  memory.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  memory.srcAccessMask = kWrites;
  memory.dstAccessMask = access;
  device_.fn.cmd_pipeline_barrier(commands_, kWorkStages, to, 0, 1, &memory, 0, nullptr, 0,
                                  nullptr);
}

void Recorder::settle_barrier() {
  if (barrier_pending_) {
    barrier(kWorkStages, kReads | kWrites);
    ++counters_.barriers_recorded;
    barrier_pending_ = false;
  }
}

// Finds the operand's bytes. The loader has proved the offsets against the records; this proves
// them against the buffers, so that no mistake between the two reaches the driver.
Status Recorder::locate(uint32_t operand, BufferRange& range) const {
  if (format::is_constant(operand)) {
    const uint32_t index = format::constant_index(operand);
    const ConstantUse& use = state_.constants[index];
    if (use.buffer == VK_NULL_HANDLE || task_.constants[index].bytes > use.size) {
      return arenite::error(Code::kBadStep, operand);
    }
    range = {use.buffer, use.offset, use.size};
    return ok_status();
  }
  const format::ValueRecord& record = task_.values[operand];
  const Buffer* buffer = &state_.arenas[record.place];
  uint64_t offset = record.offset;
  const uint32_t root = root_of(task_, operand);
  const uint32_t stand_in = state_.moved[root];
  if (stand_in != kNoIndex) {
    buffer = &state_.arenas[task_.values[stand_in].place];
    offset = offset - task_.values[root].offset + task_.values[stand_in].offset;
  }
  if (buffer->handle == VK_NULL_HANDLE || offset > buffer->bytes ||
      record.bytes > buffer->bytes - offset) {
    return arenite::error(Code::kBadStep, operand);
  }
  range = {buffer->handle, offset, record.bytes};
  return ok_status();
}

Status Recorder::locate_for_shader(uint32_t value, BufferRange& range) const {
  ARENITE_TRY(locate(value, range));
  if (range.bytes == 0) {
    // Nothing of it is read, but Vulkan binds no empty range.
    range.offset = 0;
    range.bytes = sizeof(uint32_t);
    return ok_status();
  }
  const uint64_t skip = range.offset % kBufferAlignment;
  range.offset -= skip;
  // Whole words, because shaders see words; buffers end on a multiple of kBufferAlignment.
  range.bytes = (range.bytes + skip + 3) / 4 * 4;
  return range.bytes <= device_.info.limits.maxStorageBufferRange
             ? ok_status()
             : arenite::error(Code::kBadRange, value);
}

// Buffers end on a multiple of kBufferAlignment, so that whole vectors stay inside.
Status Recorder::locate_uniform(uint32_t value, BufferRange& range) const {
  ARENITE_TRY(locate_for_shader(value, range));
  range.bytes = uniform_range(range.bytes);
  return range.bytes <= kMaxUniformBytes ? ok_status() : arenite::error(Code::kBadRange, value);
}

// Blocks have been counted, so that there is room for each.
Status Recorder::write_parameters(const Dispatch& dispatch, BufferRange& range) {
  const Buffer& buffer = state_.parameters;
  range = {buffer.handle, parameters_at_, dispatch.parameter_count * sizeof(uint32_t)};
  parameters_at_ += parameter_block_bytes(dispatch.parameter_count);
  if (buffer.mapped != nullptr) {
    std::memcpy(buffer.mapped + range.offset, static_cast<const uint32_t*>(dispatch.parameters),
                range.bytes);
    return ok_status();
  }
  const auto* words = static_cast<const uint32_t*>(dispatch.parameters);
  const StagedCopy copy{reinterpret_cast<const std::byte*>(words), range.bytes, range.buffer,
                        range.offset};
  return stage(device_, copy, buffer.bytes, fence_, stager_);
}

// Flags have been counted, so that there is room for each.
Status Recorder::take_flag(uint32_t indices, BufferRange& range) {
  const uint32_t flag = next_flag_++;
  if (flag >= flag_count(state_.flags)) {
    return arenite::error(Code::kBadStep, indices);
  }
  name_flag(state_.flags, flag, {step_, indices});
  range = flag_range(state_.flags, flag);
  return ok_status();
}

Status Recorder::finish(Status status) {
  if (status.ok()) {
    status = flush(device_, state_.flags);
  }
  if (status.ok()) {
    status = flush_stager(device_, fence_, stager_);
  }
  close_stager(device_, status, stager_);
  return status;
}

Status Recorder::dispatch(const Dispatch& dispatch) {
  const ShaderCode& code = all_shaders()[static_cast<uint32_t>(dispatch.shader)];
  const uint32_t layout_index =
      set_layout_index(code.buffers, code.parameter_words != 0, code.uniforms);
  VkPipelineLayout layout = device_.pipeline_layouts[layout_index];
  const size_t pipeline = find_pipeline(state_.pipelines, dispatch);
  BufferRange ranges[kMaxBindings];
  for (uint32_t i = 0; i < dispatch.buffer_count; ++i) {
    ARENITE_TRY(dispatch.values[i] == kFlagOperand
                    ? take_flag(dispatch.values[0], ranges[i])
                    : locate_for_shader(dispatch.values[i], ranges[i]));
  }
  VkDescriptorSet set = VK_NULL_HANDLE;
  if (code.parameter_words != 0) {
    ARENITE_TRY(write_parameters(dispatch, ranges[code.buffers]));
  }
  for (uint32_t i = 0; i < dispatch.uniform_count; ++i) {
    const uint32_t binding = code.buffers + (code.parameter_words != 0 ? 1 : 0) + i;
    ARENITE_TRY(locate_uniform(dispatch.values[dispatch.buffer_count + i], ranges[binding]));
  }
  const std::span<const BufferRange> bindings(ranges);
  ARENITE_TRY(make_descriptor_set(device_, pools_, layout_index,
                                  bindings.first(set_layout(layout_index).bindings()), set));
  ++counters_.descriptor_sets;
  barrier_pending_ = barrier_pending_ || dispatch.barrier_before;
  settle_barrier();
  if (pipeline != bound_pipeline_) {
    device_.fn.cmd_bind_pipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE,
                                 state_.pipelines[pipeline].handle);
    bound_pipeline_ = pipeline;
  }
  device_.fn.cmd_bind_descriptor_sets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set,
                                      0, nullptr);
  if (code.push_words != 0) {
    // All words the shader declares: it must not see what an earlier shader left there.
    uint32_t words[kMaxPushWords] = {};
    std::copy_n(dispatch.push, dispatch.push_count, words);
    device_.fn.cmd_push_constants(commands_, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                  code.push_words * static_cast<uint32_t>(sizeof(uint32_t)),
                                  static_cast<const uint32_t*>(words));
  }
  device_.fn.cmd_dispatch(commands_, dispatch.groups[0], dispatch.groups[1], dispatch.groups[2]);
  ++counters_.dispatches_recorded;
  empty_ = false;
  return ok_status();
}

Status Recorder::transfer(const Step& step) {
  if (step.input_count() != 1 || step.output_count() != 1 || !step.has_input(0)) {
    return arenite::error(Code::kBadStep);
  }
  if (is_elided(state_, step)) {
    ++counters_.transfers_elided;
    return ok_status();
  }
  BufferRange from;
  BufferRange to;
  ARENITE_TRY(locate(step.input_value(0), from));
  ARENITE_TRY(locate(step.output_value(0), to));
  const bool overlap = from.buffer == to.buffer && from.offset < to.offset + to.bytes &&
                       to.offset < from.offset + from.bytes;
  if (from.bytes != to.bytes || overlap) {
    return arenite::error(Code::kBadStep, step.output_value(0));
  }
  // Beyond the elements, which may be fewer than planned for, lies nothing that is read.
  const uint64_t bytes = std::min(from.bytes, extent_bytes(step.input(0)));
  if (bytes == 0) {
    return ok_status();
  }
  settle_barrier();
  const VkBufferCopy region{from.offset, to.offset, bytes};
  device_.fn.cmd_copy_buffer(commands_, from.buffer, to.buffer, 1, &region);
  ++counters_.transfers_recorded;
  empty_ = false;
  return ok_status();
}

Status Recorder::step(uint32_t index) {
  const Step step(*task_.bindings, task_.steps[index], index);
  step_ = index;
  if (step.where() == format::Where::kView) {
    return ok_status();
  }
  barrier_pending_ = barrier_pending_ || (task_.steps[index].flags & format::kBarrierBefore) != 0;
  if (step.where() == format::Where::kTransfer) {
    return transfer(step);
  }
  const auto add = [](void* context, const Dispatch& dispatch) {
    return static_cast<Recorder*>(context)->dispatch(dispatch);
  };
  return emit_dispatches(step, {this, add});
}

Status Recorder::stretch(Stretch& stretch) {
  commands_ = stretch.commands;
  bound_pipeline_ = state_.pipelines.size();  // none
  barrier_pending_ = false;
  empty_ = true;
  const uint32_t recorded_before = counters_.dispatches_recorded;
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  ARENITE_VK_TRY(device_.fn.begin_command_buffer(commands_, &begin));
  begin_ticks(device_, queries_, commands_, stretch);
  uint32_t tick = stretch.first_tick;
  for (uint32_t i = stretch.first; i < stretch.last; ++i) {
    if (Status status = step(i); !status.ok()) {
      status.step = i;
      return status;
    }
    if (is_device_step(task_.steps[i])) {
      add_tick(device_, queries_, commands_, ++tick);
    }
  }
  // The CPU reads next; so may later stretches and the next run, whose first steps carry no barrier
  // for what an earlier submission wrote.
  barrier(kWorkStages | VK_PIPELINE_STAGE_HOST_BIT, kReads | kWrites | VK_ACCESS_HOST_READ_BIT);
  stretch.empty = empty_;
  stretch.dispatches = counters_.dispatches_recorded - recorded_before;
  return to_status(device_.fn.end_command_buffer(commands_));
}

}  // namespace

Status record_stretches(const Recording& recording) {
  const Device& device = recording.device;
  Recorder recorder(recording);
  uint32_t next = 0;
  Status status;
  for (Stretch& stretch : recording.state.stretches) {
    const StepRange range = next_stretch(recording.task.steps, next);
    next = range.last;
    stretch.first = range.first;
    stretch.last = range.last;
    if (stretch.commands == VK_NULL_HANDLE) {
      status = allocate_commands(device, recording.pool, stretch.commands);
    }
    if (status.ok()) {
      status = recorder.stretch(stretch);
    }
    if (!status.ok()) {
      break;
    }
  }
  return recorder.finish(status);
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
