// Gives a storage a resident on each side that needs it, and copies when a side is out of date.
#include "planner/steps/variant/partition.h"

#include <algorithm>
#include <stdexcept>

#include "planner/steps/lower/probe.h"

namespace arenite::planner {
namespace {

using format::ArenaKind;
using format::Where;

Resident resident_of(const Storage& storage, ArenaKind kind) {
  Resident resident;
  resident.name = storage.name;
  resident.dtype = storage.dtype;
  resident.form = storage.form;
  resident.bytes = storage.bytes;
  resident.kind = kind;
  return resident;
}

void add_scratch(VariantPlan& plan, VariantStep& step, ArenaKind kind) {
  if (step.step.scratch_bytes == 0) return;
  Resident resident;
  resident.name = "scratch of " + step.step.name;
  resident.dtype = DType::kUint8;
  resident.form = row_major({step.step.scratch_bytes});
  resident.bytes = step.step.scratch_bytes;
  resident.kind = kind;
  step.scratch = static_cast<uint32_t>(plan.residents.size());
  plan.residents.push_back(std::move(resident));
}

// Builds a variant whose storages may have one resident on each side.
class Partition {
 public:
  Partition(const Lowered& lowered, const ConstantPool& pool, std::vector<Where> where,
            const Capabilities& device)
      : lowered_(lowered),
        pool_(pool),
        where_(std::move(where)),
        device_profile_(device),
        host_(lowered.storages.size()),
        device_(lowered.storages.size()),
        shader_reads_(lowered.storages.size()) {
    for (size_t i = 0; i < lowered.steps.size(); ++i) {
      if (where_[i] != Where::kVulkan) continue;
      for (const std::optional<Operand>& operand : lowered.steps[i].inputs) {
        if (operand.has_value() && !operand->constant) shader_reads_[operand->index] = true;
      }
    }
  }

  VariantPlan run() {
    plan_.vulkan = true;
    for (const uint32_t storage : lowered_.inputs) {
      plan_.inputs.push_back(on_host(storage, ArenaKind::kUpload));
    }
    for (size_t i = 0; i < lowered_.steps.size(); ++i) add_step(lowered_.steps[i], where_[i]);
    for (const uint32_t storage : lowered_.outputs) {
      plan_.outputs.push_back(needed_on_host(storage));
    }
    return std::move(plan_);
  }

 private:
  uint32_t add_resident(uint32_t storage, ArenaKind kind) {
    plan_.residents.push_back(resident_of(lowered_.storages[storage], kind));
    return static_cast<uint32_t>(plan_.residents.size() - 1);
  }
  uint32_t on_host(uint32_t storage, ArenaKind kind) {
    host_[storage] = add_resident(storage, kind);
    return *host_[storage];
  }
  uint32_t on_device(uint32_t storage) {
    device_[storage] = add_resident(storage, ArenaKind::kDevice);
    return *device_[storage];
  }
  // The resident into which a step writes a storage: a new one, or the one that holds other parts
  // of it. The other side's copy is out of date then.
  uint32_t written_on_device(uint32_t storage) {
    host_[storage].reset();
    return device_[storage].has_value() ? *device_[storage] : on_device(storage);
  }
  uint32_t written_on_host(uint32_t storage) {
    device_[storage].reset();
    if (host_[storage].has_value()) return *host_[storage];
    // Memory the device reads from when it will; else memory the CPU reads fast.
    return on_host(storage, shader_reads_[storage] ? ArenaKind::kUpload : ArenaKind::kReadback);
  }

  void add_transfer(uint32_t from, uint32_t to) {
    const auto operand = [&](uint32_t resident) {
      Operand result;
      result.index = resident;
      result.dtype = plan_.residents[resident].dtype;
      result.form = plan_.residents[resident].form;
      return result;
    };
    VariantStep transfer;
    transfer.where = Where::kTransfer;
    transfer.step.op = Op::kCopy;
    transfer.step.name = "transfer of " + plan_.residents[from].name;
    transfer.step.inputs = {operand(from)};
    transfer.step.outputs = {operand(to)};
    plan_.steps.push_back(std::move(transfer));
  }

  uint32_t needed_on_device(uint32_t storage) {
    if (!device_[storage].has_value()) {
      const uint32_t from = *host_[storage];
      add_transfer(from, on_device(storage));
    }
    return *device_[storage];
  }
  uint32_t needed_on_host(uint32_t storage) {
    if (!host_[storage].has_value()) {
      const uint32_t from = *device_[storage];
      add_transfer(from, on_host(storage, ArenaKind::kReadback));
    }
    return *host_[storage];
  }

  uint32_t read(uint32_t storage, Where where) {
    if (where == Where::kVulkan) return needed_on_device(storage);
    if (where == Where::kCpu) return needed_on_host(storage);
    return device_[storage].has_value() ? *device_[storage] : *host_[storage];
  }

  void add_step(const LoweredStep& lowered, Where where) {
    VariantStep step;
    step.step = lowered;
    step.where = where;
    for (std::optional<Operand>& operand : step.step.inputs) {
      if (operand.has_value() && !operand->constant) operand->index = read(operand->index, where);
    }
    for (std::optional<Operand>& operand : step.step.outputs) {
      if (!operand.has_value() || operand->constant) continue;
      const uint32_t storage = operand->index;
      if (where == Where::kVulkan) {
        operand->index = written_on_device(storage);
      } else if (where == Where::kCpu) {
        operand->index = written_on_host(storage);
      } else {
        operand->index = read(storage, where);
      }
    }
    if (where == Where::kVulkan) {
      step.dispatches = dispatches_of(lowered);
      step.step.scratch_bytes = static_cast<uint32_t>(step.dispatches.scratch_bytes);
      add_scratch(plan_, step, ArenaKind::kDevice);
    } else if (where == Where::kCpu) {
      add_scratch(plan_, step, ArenaKind::kReadback);
    } else {
      step.step.scratch_bytes = 0;
    }
    plan_.steps.push_back(std::move(step));
  }

  DispatchPlan dispatches_of(const LoweredStep& step) const {
    const Probe probe(step, pool_);
    const auto plan = plan_dispatches(probe.step(), device_profile_);
    if (!plan.has_value()) throw std::logic_error("no shader does the step " + step.name);
    return *plan;
  }

  const Lowered& lowered_;
  const ConstantPool& pool_;
  const std::vector<Where> where_;
  const Capabilities& device_profile_;
  std::vector<std::optional<uint32_t>> host_, device_;  // resident by storage
  std::vector<bool> shader_reads_;
  VariantPlan plan_;
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

VariantPlan cpu_variant(const Lowered& lowered) {
  VariantPlan plan;
  for (const Storage& storage : lowered.storages) {
    plan.residents.push_back(resident_of(storage, ArenaKind::kHost));
  }
  for (const LoweredStep& lowered_step : lowered.steps) {
    VariantStep step;
    step.step = lowered_step;
    step.where = lowered_step.view ? Where::kView : Where::kCpu;
    add_scratch(plan, step, ArenaKind::kHost);
    plan.steps.push_back(std::move(step));
  }
  plan.inputs = lowered.inputs;
  plan.outputs = lowered.outputs;
  return plan;
}

void leave_io_to_caller(VariantPlan& plan) {
  for (const auto* residents : {&plan.inputs, &plan.outputs}) {
    for (const uint32_t r : *residents) plan.residents[r].kind = ArenaKind::kCaller;
  }
}

std::vector<uint32_t> storages_shared_badly(const Lowered& lowered,
                                            const std::vector<Where>& where) {
  std::vector<bool> device(lowered.storages.size()), host(lowered.storages.size());
  std::vector<bool> bad(lowered.storages.size());
  for (size_t i = 0; i < lowered.steps.size(); ++i) {
    if (where[i] == Where::kView) continue;
    const bool vulkan = where[i] == Where::kVulkan;
    for (const std::optional<Operand>& output : lowered.steps[i].outputs) {
      if (!output.has_value() || output->constant) continue;
      (vulkan ? device : host)[output->index] = true;
      for (const std::optional<Operand>& input : lowered.steps[i].inputs) {
        if (!vulkan || !input.has_value() || input->constant || input->index != output->index) {
          continue;
        }
        if (bound_bytes_meet(*input, *output)) bad[output->index] = true;
      }
    }
  }
  std::vector<uint32_t> result;
  for (uint32_t i = 0; i < lowered.storages.size(); ++i) {
    if (bad[i] || (device[i] && host[i])) result.push_back(i);
  }
  return result;
}

std::optional<VariantPlan> vulkan_variant(const Lowered& lowered, const ConstantPool& pool,
                                          const std::vector<Where>& where,
                                          const Capabilities& device) {
  if (std::find(where.begin(), where.end(), Where::kVulkan) == where.end()) return std::nullopt;
  return Partition(lowered, pool, where, device).run();
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
