// Walks the dispatches of a variant once before anything is made, to know what to make.
#include "vk/objects.h"

#include <algorithm>

#include "kernels/dispatch/rules.h"
#include "kernels/dispatch/twins.h"
#include "kernels/shader_table.h"

namespace arenite::vk {
namespace {

struct Counter {
  const Device& device;
  const Task& task;
  State& state;
  ObjectCounts& counts;
  bool adds_pipelines;  // else those that are not there are passed over
};

uint32_t hash_of(const Dispatch& dispatch) {
  uint32_t hash = 2166136261u;  // FNV-1a over words
  const auto add = [&hash](uint32_t word) { hash = (hash ^ word) * 16777619u; };
  add(static_cast<uint32_t>(dispatch.shader));
  for (uint32_t i = 0; i < dispatch.spec_count; ++i) {
    add(dispatch.spec[i]);
  }
  return hash;
}

bool is_bindable(const Task& task, uint32_t operand) {
  if (operand == kFlagOperand) return true;
  return format::is_constant(operand) ? format::constant_index(operand) < task.constants.size()
                                      : operand < task.values.size();
}

// Whether a dispatch suits the shader it names: a mistake here would be one of ours, and would make
// the driver read what was never bound.
bool fits_shader(const Task& task, const Dispatch& dispatch) {
  const auto shader = static_cast<uint32_t>(dispatch.shader);
  const auto shaders = all_shaders();
  if (shader >= shaders.size() || shaders[shader].word_count == 0) {
    return false;
  }
  const ShaderCode& code = shaders[shader];
  return dispatch.buffer_count == code.buffers && dispatch.uniform_count == code.uniforms &&
         has_set_layout(code.buffers, code.parameter_words != 0, code.uniforms) &&
         dispatch.push_count <= code.push_words && code.push_words <= kMaxPushWords &&
         dispatch.spec_count <= kMaxSpecWords && dispatch.parameter_count == code.parameter_words &&
         code.parameter_words <= kMaxParameterWords &&
         std::all_of(dispatch.values,
                     dispatch.values + dispatch.buffer_count + dispatch.uniform_count,
                     [&task](uint32_t operand) { return is_bindable(task, operand); }) &&
         std::all_of(dispatch.groups, dispatch.groups + 3,
                     [](uint32_t groups) { return groups >= 1 && groups <= kMaxGroups; });
}

void note_constant(uint32_t operand, State& state) {
  if (format::is_constant(operand)) {
    state.constants[format::constant_index(operand)].wanted = true;
  }
}

// Constants that other sizes may read have to be there, too: none is brought after attaching.
void note_inputs(const Step& step, State& state) {
  for (uint32_t i = 0; i < step.input_count(); ++i) {
    if (step.has_input(i)) {
      note_constant(step.input_value(i), state);
    }
  }
}

// A place for one more pipeline: a free one, else that of a pipeline that is not in use. Null where
// all are. `used`: how many are in use, mostly the first ones.
Pipeline* find_place(const Device& device, std::span<Pipeline> table, uint32_t used) {
  const auto is_free = [](const Pipeline& p) { return !p.in_use && p.handle == VK_NULL_HANDLE; };
  auto found = std::find_if(table.begin() + used, table.end(), is_free);
  if (found == table.end()) {
    found = std::find_if(table.begin(), table.end(), is_free);
  }
  if (found == table.end()) {
    found = std::find_if(table.begin(), table.end(), [](const Pipeline& p) { return !p.in_use; });
  }
  if (found == table.end()) {
    return nullptr;
  }
  device.fn.destroy_pipeline(device.handle, found->handle, nullptr);
  *found = {};
  return &*found;
}

// Puts the pipeline of a dispatch to use, where it is not yet.
Status use_pipeline(const Counter& counter, const Dispatch& dispatch) {
  const std::span<Pipeline> table = counter.state.pipelines;
  uint32_t& used = counter.counts.pipelines;
  if (const size_t i = find_pipeline(table, dispatch); i != table.size()) {
    used += table[i].in_use ? 0u : 1u;
    table[i].in_use = true;
    return ok_status();
  }
  if (!counter.adds_pipelines) {
    return ok_status();
  }
  Pipeline* const pipeline = find_place(counter.device, table, used);
  if (pipeline == nullptr) {
    return error(Code::kBadPlan, 1);
  }
  ++used;
  pipeline->in_use = true;
  pipeline->shader = dispatch.shader;
  pipeline->hash = hash_of(dispatch);
  pipeline->spec_count = dispatch.spec_count;
  std::copy_n(dispatch.spec, dispatch.spec_count, pipeline->spec);
  return ok_status();
}

Status count_dispatch(void* context, const Dispatch& dispatch) {
  const Counter& counter = *static_cast<Counter*>(context);
  ObjectCounts& counts = counter.counts;
  if (!fits_shader(counter.task, dispatch)) {
    return error(Code::kUnsupported, static_cast<uint32_t>(dispatch.shader));
  }
  ++counts.dispatches;
  ++counts.descriptor_sets[set_layout_index(dispatch.buffer_count, dispatch.parameter_count != 0,
                                            dispatch.uniform_count)];
  counts.parameter_bytes += parameter_block_bytes(dispatch.parameter_count);
  for (uint32_t i = 0; i < dispatch.buffer_count + dispatch.uniform_count; ++i) {
    const uint32_t operand = dispatch.values[i];
    if (operand == kFlagOperand) {
      ++counts.flags;
    } else {
      note_constant(operand, counter.state);
    }
  }
  return use_pipeline(counter, dispatch);
}

// Programs ask for what their steps need in their requirements; this holds one to it that does not.
Status check_needs(const Device& device, const Step& step) {
  const DispatchRow* const row = find_row(step);
  if (row == nullptr) {
    return error(Code::kUnsupported);
  }
  const DeviceNeed* const need = missing_need(shader_of(*row, step), device.info.capabilities);
  return need == nullptr ? ok_status()
                         : error(Code::kUnsupported, static_cast<uint32_t>(need->capability));
}

// Whether a step has the dispatches that it announces; where sizes may change, at most so many.
bool has_announced(const Task& task, const format::StepRecord& step, uint32_t dispatches) {
  return task.has_symbols ? dispatches <= step.dispatches : dispatches == step.dispatches;
}

Status walk(Counter& counter) {
  const Task& task = counter.task;
  ObjectCounts& counts = counter.counts;
  for (uint32_t i = 0; i < task.steps.size(); ++i) {
    const Step step(*task.bindings, task.steps[i], i);
    if (step.where() == format::Where::kTransfer && step.input_count() == 1 && step.has_input(0)) {
      note_constant(step.input_value(0), counter.state);
    }
    if (step.where() != format::Where::kVulkan) {
      continue;
    }
    if (task.has_symbols) {
      note_inputs(step, counter.state);
    }
    const uint32_t before = counts.dispatches;
    Status status = check_needs(counter.device, step);
    if (status.ok()) {
      status = emit_dispatches(step, {&counter, count_dispatch});
    }
    if (status.ok() && !has_announced(task, task.steps[i], counts.dispatches - before)) {
      status = error(Code::kBadStep);
    }
    if (!status.ok()) {
      status.step = i;
      return status;
    }
  }
  return ok_status();
}

}  // namespace

size_t find_pipeline(std::span<const Pipeline> table, const Dispatch& dispatch) {
  const uint32_t hash = hash_of(dispatch);
  const auto found = std::find_if(table.begin(), table.end(), [&](const Pipeline& p) {
    return p.hash == hash && p.shader == dispatch.shader && p.spec_count == dispatch.spec_count &&
           (p.in_use || p.handle != VK_NULL_HANDLE) &&
           std::equal(p.spec, p.spec + p.spec_count, dispatch.spec);
  });
  return static_cast<size_t>(found - table.begin());
}

// Walks twice where pipelines are there: a new one must not take the place of one that a later
// dispatch runs.
Status count_objects(const Device& device, const Task& task, State& state, ObjectCounts& counts) {
  bool has_pipelines = false;
  for (Pipeline& pipeline : state.pipelines) {
    has_pipelines = has_pipelines || pipeline.handle != VK_NULL_HANDLE;
    pipeline.in_use = false;
  }
  uint32_t kept = 0;
  if (has_pipelines) {
    counts = {};
    Counter marks{device, task, state, counts, false};
    ARENITE_TRY(walk(marks));
    kept = counts.pipelines;
  }
  counts = {};
  counts.pipelines = kept;
  Counter adds{device, task, state, counts, true};
  return walk(adds);
}

Status compare_counts(const Task& task, const ObjectCounts& counts) {
  const format::VariantRecord& variant = *task.variant;
  // What is announced beyond what is needed is made all the same: no more than dispatches can need.
  const auto fits = [&task](uint64_t announced, uint64_t counted, uint64_t most) {
    return task.has_symbols ? counted <= announced && announced <= most : counted == announced;
  };
  const uint64_t dispatches = variant.dispatches;
  if (!fits(dispatches, counts.dispatches, dispatches)) {
    return error(Code::kBadPlan, 0);
  }
  if (!fits(variant.pipelines, counts.pipelines, dispatches * kPipelinesADispatchMax)) {
    return error(Code::kBadPlan, 1);
  }
  if (!fits(variant.parameter_bytes, counts.parameter_bytes,
            dispatches * parameter_block_bytes(kMaxParameterWords))) {
    return error(Code::kBadPlan, 2);
  }
  uint32_t at = 3;
  bool announced[kSetLayouts] = {};
  for (const format::DescriptorSetRecord& sets : task.descriptor_sets) {
    const uint32_t layout = find_set_layout(sets.layout);
    if (layout == kSetLayouts || announced[layout] || sets.count == 0 ||
        !fits(sets.count, counts.descriptor_sets[layout], dispatches)) {
      return error(Code::kBadPlan, at);
    }
    announced[layout] = true;
    ++at;
  }
  for (uint32_t i = 0; i < kSetLayouts; ++i) {
    if (counts.descriptor_sets[i] != 0 && !announced[i]) {
      return error(Code::kBadPlan, at);
    }
  }
  return ok_status();
}

void announced_sets(const Task& task, std::span<uint32_t, kSetLayouts> counts) {
  std::fill(counts.begin(), counts.end(), 0u);
  for (const format::DescriptorSetRecord& sets : task.descriptor_sets) {
    counts[find_set_layout(sets.layout)] = sets.count;
  }
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
