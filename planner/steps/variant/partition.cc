// Gives each side that needs a value a storage for it, and copies when a side is out of date.
#include "planner/steps/variant/partition.h"

#include <algorithm>
#include <deque>
#include <set>
#include <utility>
#include <vector>

#include "core/assert.h"
#include "kernels/dispatch/row_fit.h"
#include "kernels/dispatch/rules.h"
#include "planner/steps/lower/lower.h"
#include "planner/steps/lower/probe.h"
#include "planner/steps/variant/halves.h"

namespace arenite::planner {
namespace {

using format::ArenaKind;
using format::Where;

void add_scratch(Schedule& schedule, ScheduledStep& step, uint32_t bytes, ArenaKind kind) {
  if (bytes == 0) return;
  Storage storage = storage_of("scratch of " + step.name, DType::kUint8, row_major({bytes}));
  storage.kind = kind;
  step.scratch = static_cast<uint32_t>(schedule.storages.size());
  schedule.storages.push_back(std::move(storage));
}

using Guards = std::vector<StepCondition>;
const Guards kNoGuards;

// Builds a variant with a storage on each side that needs what `from` has as one.
class Partition {
 public:
  Partition(const Schedule& from, std::span<const StepWork> work, const TargetForms& forms,
            ConstantPool& pool)
      : from_(from),
        work_(work),
        forms_(forms),
        pool_(pool),
        halves_(from),
        host_(from.storages.size()),
        device_(from.storages.size()),
        half_(from.storages.size()),
        upload_(from.storages.size()),
        made_under_(from.storages.size()),
        shader_reads_(from.storages.size()) {
    for (const ScheduledStep& step : from.steps) {
      if (step.where != Where::kVulkan) continue;
      for (const std::optional<Operand>& operand : step.inputs) {
        if (operand.has_value() && !operand->constant) shader_reads_[operand->index] = true;
      }
    }
  }

  Schedule run() {
    result_.vulkan = true;
    result_.copies = from_.copies;
    for (const uint32_t storage : from_.inputs) {
      const bool state = from_.storages[storage].kind == ArenaKind::kState;
      result_.inputs.push_back(on_host(storage, state ? ArenaKind::kState : ArenaKind::kUpload));
    }
    // The CPU copies states before all steps: between two of the device it would end a submission.
    for (const uint32_t storage : from_.inputs) {
      const bool state = from_.storages[storage].kind == ArenaKind::kState;
      if (state && shader_reads_[storage]) upload_[storage] = in_upload(*host_[storage]);
    }
    for (size_t s = 0; s < from_.steps.size(); ++s) {
      if (work_[s].early) add_step(s);
    }
    for (size_t s = 0; s < from_.steps.size(); ++s) {
      if (!work_[s].early) add_step(s);
    }
    for (const uint32_t storage : from_.outputs) {
      result_.outputs.push_back(needed_on_host(storage));
    }
    return std::move(result_);
  }

 private:
  uint32_t add_storage(uint32_t storage, ArenaKind kind) {
    result_.storages.push_back(from_.storages[storage]);
    result_.storages.back().kind = kind;
    return static_cast<uint32_t>(result_.storages.size() - 1);
  }
  uint32_t on_host(uint32_t storage, ArenaKind kind) {
    host_[storage] = add_storage(storage, kind);
    return *host_[storage];
  }
  uint32_t on_device(uint32_t storage) {
    device_[storage] = add_storage(storage, ArenaKind::kDevice);
    return *device_[storage];
  }
  // On the device too, with its float32 numbers in 16 bits.
  uint32_t in_halves(uint32_t storage) {
    half_[storage] = add_storage(storage, ArenaKind::kDevice);
    Storage& half = result_.storages.back();
    half.dtype = DType::kFloat16;
    half.bytes = span_elements(half.form) * element_bytes(half.dtype);
    return *half_[storage];
  }
  // The side's storage into which a step writes: a new one, or the one that holds other parts. The
  // other sides' copies are out of date then.
  uint32_t written_on_device(uint32_t storage) {
    host_[storage].reset();
    half_[storage].reset();
    return device_[storage].has_value() ? *device_[storage] : on_device(storage);
  }
  uint32_t written_in_halves(uint32_t storage) {
    host_[storage].reset();
    device_[storage].reset();
    return half_[storage].has_value() ? *half_[storage] : in_halves(storage);
  }
  uint32_t written_on_host(uint32_t storage) {
    device_[storage].reset();
    half_[storage].reset();
    if (host_[storage].has_value()) return *host_[storage];
    // Memory the device reads from when it will; else memory the CPU reads fast.
    return on_host(storage, shader_reads_[storage] ? ArenaKind::kUpload : ArenaKind::kReadback);
  }

  // All of a storage of the result.
  Operand whole(uint32_t storage) const {
    return {.index = storage,
            .dtype = result_.storages[storage].dtype,
            .form = result_.storages[storage].form};
  }

  // A step on the device begins a stretch where it has other guards than the one before.
  void push(ScheduledStep step, const Guards& guards) {
    if (step.where == Where::kCpu) {
      guards_ = nullptr;
    } else if (!step.is_view()) {
      step.begins_stretch = guards_ != nullptr && *guards_ != guards;
      guards_ = &guards;
    }
    for (const StepCondition& guard : guards) {
      ARENITE_ASSERT(host_[guard.storage].has_value());
      const StepCondition condition{*host_[guard.storage], guard.holds};
      if (!std::ranges::count(step.conditions, condition)) step.conditions.push_back(condition);
    }
    result_.steps.push_back(std::move(step));
  }

  void add_transfer(uint32_t from, uint32_t to, const Guards& guards) {
    ScheduledStep transfer;
    transfer.where = Where::kTransfer;
    transfer.op = Op::kCopy;
    transfer.name = "transfer of " + result_.storages[from].name;
    transfer.inputs = {whole(from)};
    transfer.outputs = {whole(to)};
    push(std::move(transfer), guards);
  }

  // Between storages that the device reaches, of the same elements in two types.
  void add_cast(uint32_t from, uint32_t to, const Guards& guards) {
    ScheduledStep cast = copy_step(whole(from), whole(to), forms_);
    cast.op = Op::kCast;
    cast.where = Where::kVulkan;
    cast.name = "cast of " + result_.storages[from].name;
    const Probe probe(cast, pool_);
    const auto rows = rows_of(Op::kCast);
    const auto row = std::ranges::find_if(
        rows, [&](const DispatchRow& one) { return carries_out(one, probe.step()); });
    ARENITE_ASSERT(row != rows.end());
    cast.dispatches.form = row->form;
    push(std::move(cast), guards);
  }

  // A copy of a state in memory that a device reads from: no device reaches states.
  uint32_t in_upload(uint32_t state) {
    Storage upload = result_.storages[state];
    upload.name += ", for the device";
    upload.kind = ArenaKind::kUpload;
    const auto index = static_cast<uint32_t>(result_.storages.size());
    result_.storages.push_back(std::move(upload));
    ScheduledStep copy = copy_step(whole(state), whole(index), forms_);
    copy.name = "copy of " + result_.storages[state].name;
    copy.where = Where::kCpu;
    push(std::move(copy), kNoGuards);
    return index;
  }

  // What the host holds of a storage, where a device reads from.
  uint32_t readable(uint32_t storage) const {
    return upload_[storage].has_value() ? *upload_[storage] : *host_[storage];
  }
  uint32_t needed_on_device(uint32_t storage) {
    if (device_[storage].has_value()) return *device_[storage];
    if (half_[storage].has_value()) {
      const uint32_t from = *half_[storage];
      add_cast(from, on_device(storage), guards_of(storage));
    } else {
      const uint32_t from = readable(storage);
      add_transfer(from, on_device(storage), kNoGuards);
    }
    return *device_[storage];
  }
  uint32_t needed_in_halves(uint32_t storage) {
    if (half_[storage].has_value()) return *half_[storage];
    if (device_[storage].has_value()) {
      const uint32_t from = *device_[storage];
      add_cast(from, in_halves(storage), guards_of(storage));
    } else {
      const uint32_t from = readable(storage);  // by shaders too
      add_cast(from, in_halves(storage), kNoGuards);
    }
    return *half_[storage];
  }
  // Those of the device's step that made a storage, where one did.
  const Guards& guards_of(uint32_t storage) const {
    return made_under_[storage] != nullptr ? *made_under_[storage] : kNoGuards;
  }
  // Nobody needs what the device made if nobody needed to make it.
  uint32_t needed_on_host(uint32_t storage) {
    if (host_[storage].has_value()) return *host_[storage];
    if (device_[storage].has_value()) {
      const uint32_t from = *device_[storage];
      add_transfer(from, on_host(storage, ArenaKind::kReadback), *made_under_[storage]);
    } else {
      const uint32_t from = *half_[storage];
      add_cast(from, on_host(storage, ArenaKind::kReadback), *made_under_[storage]);
    }
    return *host_[storage];
  }

  uint32_t read(uint32_t storage, Where where) {
    if (where == Where::kVulkan) return needed_on_device(storage);
    if (where == Where::kCpu) return needed_on_host(storage);
    if (half_[storage].has_value()) return *half_[storage];
    return device_[storage].has_value() ? *device_[storage] : *host_[storage];
  }

  // Whether a step that is as on the device has an operand in 16 bits which is none in the
  // schedule.
  bool is_narrow(const Operand& operand) const {
    return operand.dtype == DType::kFloat16 &&
           from_.storages[operand.index].dtype == DType::kFloat32;
  }

  // The step as it is on its machine.
  ScheduledStep as_planned(size_t s) {
    const ScheduledStep& step = from_.steps[s];
    return work_[s].halves ? halves_.narrowed(step, pool_).value() : step;
  }

  // The steps of a stretch that begins at step `first`: what they read is brought before it, since
  // others may read it too.
  void bring_for_stretch(size_t first) {
    const Guards& guards = work_[first].guards;
    for (const StepCondition& guard : guards) needed_on_host(guard.storage);
    std::set<uint32_t> made, read, read_in_halves;
    for (size_t s = first; s < from_.steps.size(); ++s) {
      if (from_.steps[s].is_view() || work_[s].early) continue;
      const ScheduledStep step = as_planned(s);
      if (step.where != Where::kVulkan || work_[s].guards != guards) break;
      for (const std::optional<Operand>& operand : step.inputs) {
        if (!operand.has_value() || operand->constant || made.contains(operand->index)) continue;
        (is_narrow(*operand) ? read_in_halves : read).insert(operand->index);
      }
      for (const std::optional<Operand>& operand : step.outputs) {
        if (operand.has_value() && !operand->constant) made.insert(operand->index);
      }
    }
    for (const uint32_t storage : read) needed_on_device(storage);
    for (const uint32_t storage : read_in_halves) needed_in_halves(storage);
  }

  void add_step(size_t s) {
    const StepWork& work = work_[s];
    ScheduledStep step = as_planned(s);
    const bool guarded = step.where == Where::kVulkan && !work.guards.empty();
    if (guarded && (guards_ == nullptr || *guards_ != work.guards)) bring_for_stretch(s);
    for (std::optional<Operand>& operand : step.inputs) {
      if (!operand.has_value() || operand->constant) continue;
      operand->index =
          is_narrow(*operand) ? needed_in_halves(operand->index) : read(operand->index, step.where);
    }
    for (std::optional<Operand>& operand : step.outputs) {
      if (!operand.has_value() || operand->constant) continue;
      const uint32_t storage = operand->index;
      if (step.where == Where::kVulkan) {
        operand->index =
            is_narrow(*operand) ? written_in_halves(storage) : written_on_device(storage);
        made_under_[storage] = &work.guards;
      } else if (step.where == Where::kCpu) {
        operand->index = written_on_host(storage);
      } else {
        operand->index = read(storage, step.where);
      }
    }
    if (step.where == Where::kVulkan) {
      step.dispatches = work.dispatches;
      if (!checks_data(step)) step.conditions.clear();
      step.scratch_bytes = work.scratch_bytes;
      add_scratch(result_, step, work.scratch_bytes, ArenaKind::kDevice);
    } else if (step.where == Where::kCpu) {
      add_scratch(result_, step, work.scratch_bytes, ArenaKind::kReadback);
    } else {
      step.scratch_bytes = 0;
      step.conditions.clear();
      name_as_stored(step);
    }
    // Transfers that this adds come before the step.
    for (StepCondition& condition : step.conditions) {
      condition.storage = needed_on_host(condition.storage);
    }
    push(std::move(step), step.where == Where::kVulkan ? work.guards : kNoGuards);
  }

  // A view has the type of the bytes that it names.
  void name_as_stored(ScheduledStep& view) const {
    for (auto* operands : {&view.inputs, &view.outputs}) {
      for (std::optional<Operand>& operand : *operands) {
        if (!operand.has_value() || operand->constant) continue;
        const DType stored = result_.storages[operand->index].dtype;
        if (operand->dtype == DType::kFloat32 && stored == DType::kFloat16) operand->dtype = stored;
      }
    }
  }

  // Whether a device says that the step failed by what its data are. Other steps run there whatever
  // their conditions are, since nobody chooses what they make.
  static bool checks_data(const ScheduledStep& step) {
    const DispatchRow* row = find_row(step.op, step.dispatches.form);
    return row != nullptr && row->check != nullptr;
  }

  const Schedule& from_;
  const std::span<const StepWork> work_;
  const TargetForms& forms_;
  ConstantPool& pool_;
  const Halves halves_;
  std::vector<std::optional<uint32_t>> host_, device_;  // the side's storage, by that of from_
  std::vector<std::optional<uint32_t>> half_;           // the device's in 16 bits
  std::vector<std::optional<uint32_t>> upload_;  // of states, their copy in memory that it reads
  std::vector<const Guards*> made_under_;        // of the device's last step that wrote the storage
  std::vector<bool> shader_reads_;
  const Guards* guards_ = nullptr;  // of the step before, where that is the device's
  Schedule result_;
};

// Whether the ranges that two operands of one storage are bound to share bytes.
bool bound_bytes_meet(const Operand& a, const Operand& b) {
  const auto begin = [](const Operand& operand) {
    return operand.form.offset * element_bytes(operand.dtype);
  };
  const auto end = [&](const Operand& operand) {
    return begin(operand) + span_elements(operand.form) * element_bytes(operand.dtype);
  };
  const auto bound = [&](const Operand& operand) {
    return begin(operand) - begin(operand) % kDeviceAlignment;
  };
  return bound(a) < end(b) && bound(b) < end(a);
}

}  // namespace

Schedule cpu_variant(Schedule schedule) {
  for (ScheduledStep& step : schedule.steps) {
    if (!step.is_view()) step.where = Where::kCpu;
    add_scratch(schedule, step, step.scratch_bytes, ArenaKind::kHost);
  }
  return schedule;
}

void leave_io_to_caller(Schedule& schedule) {
  for (const auto* storages : {&schedule.inputs, &schedule.outputs}) {
    for (const uint32_t i : *storages) {
      Storage& storage = schedule.storages[i];
      if (storage.kind != ArenaKind::kState) storage.kind = ArenaKind::kCaller;
    }
  }
}

std::vector<uint32_t> storages_shared_badly(const Schedule& schedule, bool any_size) {
  const size_t count = schedule.storages.size();
  std::vector<bool> device(count), host(count), bad(count);
  for (const ScheduledStep& step : schedule.steps) {
    if (step.is_view()) continue;
    const bool vulkan = step.where == Where::kVulkan;
    for (const std::optional<Operand>& output : step.outputs) {
      if (!output.has_value() || output->constant) continue;
      (vulkan ? device : host)[output->index] = true;
      for (const std::optional<Operand>& input : step.inputs) {
        if (!vulkan || !input.has_value() || input->constant || input->index != output->index) {
          continue;
        }
        if (any_size || bound_bytes_meet(*input, *output)) bad[output->index] = true;
      }
    }
  }
  std::vector<uint32_t> result;
  for (uint32_t i = 0; i < count; ++i) {
    if (bad[i] || (device[i] && host[i])) result.push_back(i);
  }
  return result;
}

std::optional<Schedule> vulkan_variant(const Schedule& schedule, std::span<const StepWork> work,
                                       const TargetForms& forms, ConstantPool& pool) {
  const auto is_on_device = [](const ScheduledStep& step) { return step.where == Where::kVulkan; };
  if (std::ranges::none_of(schedule.steps, is_on_device)) return std::nullopt;
  ARENITE_ASSERT(work.size() == schedule.steps.size());
  return Partition(schedule, work, forms, pool).run();
}

namespace {

// Plans the dispatches of a step that is given with several dims.
std::optional<DispatchPlan> plan_of(std::span<const ScheduledStep> steps, const ConstantPool& pool,
                                    const Capabilities& device) {
  std::deque<Probe> probes;  // which must not move
  for (const ScheduledStep& step : steps) probes.emplace_back(step, pool);
  std::vector<Step> sizes;
  for (const Probe& probe : probes) sizes.push_back(probe.step());
  return plan_dispatches(sizes, device);
}

// Does the same with floats of 16 bits.
std::optional<DispatchPlan> plan_of_halves(std::span<const ScheduledStep> steps,
                                           const Halves& halves, ConstantPool& pool,
                                           const Capabilities& device) {
  if (device.numbers[static_cast<uint32_t>(Capability::kStorage16Bit)] == 0) return std::nullopt;
  std::vector<ScheduledStep> narrow;
  for (const ScheduledStep& step : steps) {
    auto half = halves.narrowed(step, pool);
    if (!half.has_value()) return std::nullopt;
    narrow.push_back(*std::move(half));
  }
  return plan_of(narrow, pool, device);
}

}  // namespace

std::vector<StepWork> work_of(const Schedule& schedule, std::span<const Schedule> others,
                              ConstantPool& pool, const Capabilities& device,
                              std::vector<uint32_t>& not_done) {
  const size_t count = schedule.steps.size();
  std::vector<StepWork> work(count);
  std::vector<std::optional<DispatchPlan>> of_halves(count);
  std::vector<bool> narrow(count);
  const Halves halves(schedule);
  for (uint32_t s = 0; s < count; ++s) {
    const ScheduledStep& step = schedule.steps[s];
    work[s].scratch_bytes = step.scratch_bytes;
    if (step.where != Where::kVulkan) continue;
    std::vector<ScheduledStep> sizes = {step};
    for (const Schedule& other : others) sizes.push_back(other.steps[s]);
    const auto plan = plan_of(sizes, pool, device);
    if (plan.has_value()) {
      work[s].dispatches = *plan;
      of_halves[s] = plan_of_halves(sizes, halves, pool, device);
      narrow[s] = of_halves[s].has_value();
    } else {
      not_done.push_back(s);
    }
  }
  halves.leave_out_bad(narrow);
  for (size_t s = 0; s < count; ++s) {
    if (schedule.steps[s].where != Where::kVulkan) continue;
    work[s].halves = narrow[s];
    if (narrow[s]) work[s].dispatches = *of_halves[s];
    work[s].scratch_bytes = static_cast<uint32_t>(work[s].dispatches.scratch_bytes);
  }
  return work;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
