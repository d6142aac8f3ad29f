// Checks that each step of a variant reads and writes what it may, from where it runs.
#include "core/shape.h"
#include "core/verify.h"
#include "core/verify_lookup.h"

namespace arenite {
namespace {

using format::ArenaKind;
using format::StepRecord;
using format::ValueKind;
using format::ValueRecord;
using format::Where;

constexpr uint64_t kKernelOps = 0
#define ARENITE_KERNEL_OP(number, name, Type, shader) | uint64_t{1} << number
#include "schema/ops.def"
    ;
constexpr uint64_t kViewOps = 0
#define ARENITE_VIEW_OP(number, name, Type) | uint64_t{1} << number
#include "schema/ops.def"
    ;

class StepCheck {
 public:
  StepCheck(const VerifyTask& task, uint32_t index)
      : task_(task),
        bindings_(*task.bindings),
        record_(steps()[index]),
        step_(bindings_, record_, index) {}

  Status all() const;

 private:
  std::span<const StepRecord> steps() const { return task_.program->steps_of(*task_.variant); }
  const ValueRecord& value(uint32_t index) const { return bindings_.values[index]; }
  uint32_t root(uint32_t index) const { return root_of(bindings_.values, index); }
  bool reachable(const ValueRecord& v) const;
  bool lives(const ValueRecord& v) const {
    return v.first_step <= step_.index() && step_.index() <= v.last_step;
  }
  bool shares_root_with_input(uint32_t index) const;

  Status op() const;
  Status input(uint32_t index) const;
  Status output(uint32_t k) const;
  Status view_output(uint32_t index) const;
  Status transfer() const;
  Status kernel() const;
  Status kernel_operand(const Kernel& kernel, uint32_t index) const;

  const VerifyTask& task_;
  const Bindings& bindings_;
  const StepRecord& record_;
  Step step_;
};

// Whether the code that carries out the step can reach the value's storage.
bool StepCheck::reachable(const ValueRecord& v) const {
  if (kind_of(v) == ValueKind::kConstant) {
    return bindings_.sections[bindings_.constants[v.place].section] != nullptr;
  }
  const auto kind = static_cast<ArenaKind>(task_.program->arenas_of(*task_.variant)[v.place].kind);
  return step_.where() == Where::kCpu ? kind != ArenaKind::kDevice : kind != ArenaKind::kHost;
}

bool StepCheck::shares_root_with_input(uint32_t index) const {
  for (uint32_t i = 0; i < step_.input_count(); ++i) {
    if (step_.has_input(i) && root(step_.input_value(i)) == root(index)) {
      return true;
    }
  }
  return false;
}

Status StepCheck::input(uint32_t index) const {
  const ValueRecord& v = value(index);
  if (kind_of(v) != ValueKind::kConstant &&
      (!lives(v) || !written_before(task_, root(index), step_.index()))) {
    return error(Code::kBadStep, index);
  }
  return step_.where() == Where::kView || reachable(v) ? ok_status() : error(Code::kBadStep, index);
}

// Output k, or the scratch when k is output_count. It may be a view: a part of a root that several
// steps fill.
Status StepCheck::output(uint32_t k) const {
  const uint32_t index = step_.output_value(k);
  const ValueRecord& v = value(index);
  // Roots of live values are disjoint, so that an output shares no byte with an input.
  bool good = kind_of(v) != ValueKind::kConstant && reachable(v) && lives(v) &&
              v.first_step == step_.index() && !is_input(task_, root(index)) &&
              !shares_root_with_input(index) && v.layout == static_cast<uint8_t>(Layout::kStrided);
  for (uint32_t other = 0; other < k; ++other) {
    good = good && root(step_.output_value(other)) != root(index);
  }
  if (k == step_.output_count()) {
    good = good && kind_of(v) == ValueKind::kArena && v.last_step == step_.index();
  }
  // Elements that share bytes would only be work: no more of them than the storage has room for.
  const Tensor tensor = tensor_of(bindings_, index);
  good = good && element_count(tensor) * element_bytes(tensor.dtype) <= tensor.bytes;
  return good ? ok_status() : error(Code::kBadStep, index);
}

// A view step does nothing: what it gives is a constant, or bytes of one of its inputs.
Status StepCheck::view_output(uint32_t index) const {
  const bool good = kind_of(value(index)) == ValueKind::kConstant || shares_root_with_input(index);
  return good ? ok_status() : error(Code::kBadStep, index);
}

// Same elements in the same places: the device copies bytes.
Status StepCheck::transfer() const {
  if (step_.op() != Op::kCopy || step_.input_count() != 1 || step_.output_count() != 1 ||
      step_.has_scratch() || !step_.has_input(0) ||
      kind_of(value(step_.input_value(0))) == ValueKind::kConstant) {
    return error(Code::kBadStep);
  }
  const Tensor from = step_.input(0);
  const Tensor to = step_.output(0);
  bool same = from.dtype == to.dtype && from.rank == to.rank && from.layout == to.layout &&
              from.bytes == to.bytes;
  for (uint32_t d = 0; same && d < 2u * from.rank; ++d) {
    same = from.dims[d] == to.dims[d];  // the strides follow the dims
  }
  return same ? ok_status() : error(Code::kBadStep, step_.output_value(0));
}

Status StepCheck::op() const {
  const uint32_t number = record_.op;
  const uint64_t bit = number < 64 ? uint64_t{1} << number : 0;
  const uint64_t allowed = step_.where() == Where::kView ? kKernelOps | kViewOps : kKernelOps;
  bool good = (allowed & bit) != 0;
  if (step_.where() == Where::kVulkan || step_.where() == Where::kTransfer) {
    bool device = false;
    for (const format::ArenaRecord& arena : task_.program->arenas_of(*task_.variant)) {
      device = device || static_cast<ArenaKind>(arena.kind) != ArenaKind::kHost;
    }
    good = good && device;
  }
  return good ? ok_status() : error(Code::kBadStep);
}

// What the kernel's facts ask of an operand on the CPU.
Status StepCheck::kernel_operand(const Kernel& kernel, uint32_t index) const {
  const Tensor tensor = tensor_of(bindings_, index);
  const ValueRecord& v = value(index);
  uintptr_t address = reinterpret_cast<uintptr_t>(tensor.data);
  if (kind_of(v) != ValueKind::kConstant) {
    address = v.offset | task_.program->arenas_of(*task_.variant)[v.place].alignment;
  }
  if (kernel.alignment != 0 && (address & (kernel.alignment - 1)) != 0) {
    return error(Code::kBadAlignment, index);
  }
  const uint64_t extent = tensor.layout == Layout::kStrided ? extent_bytes(tensor) : 0;
  if (extent != 0 && extent + kernel.tail_bytes > tensor.bytes) {
    return error(Code::kBadRange, index);
  }
  return ok_status();
}

Status StepCheck::kernel() const {
  const Kernel* kernel = find_kernel(task_.kernels, step_.op());
  if (kernel == nullptr) {
    return error(Code::kNoKernel, record_.op);
  }
  const uint32_t operands = step_.input_count() + step_.output_count();
  for (uint32_t i = 0; i < operands; ++i) {
    const uint32_t index = step_.input_value(i);
    if (index == kNoIndex) {
      continue;
    }
    const uint32_t layouts = i == 1 ? kernel->weight_layouts : 0;
    if (value(index).layout != 0 && (layouts >> value(index).layout & 1) == 0) {
      return error(Code::kBadLayout, index);
    }
    if (step_.where() == Where::kCpu) {
      ARENITE_TRY(kernel_operand(*kernel, index));
    }
  }
  ARENITE_TRY(kernel->check(step_));
  if (step_.where() == Where::kCpu && kernel->scratch_bytes != nullptr) {
    const uint32_t threads = task_.variant->threads_max;
    const uint32_t needed = kernel->scratch_bytes(step_, threads != 0 ? threads : 1);
    if (needed > (step_.has_scratch() ? step_.scratch().bytes : 0)) {
      return error(Code::kBadScratch);
    }
  }
  return ok_status();
}

Status StepCheck::all() const {
  ARENITE_TRY(op());
  for (uint32_t i = 0; i < step_.input_count(); ++i) {
    if (step_.has_input(i)) {
      ARENITE_TRY(input(step_.input_value(i)));
    }
  }
  const uint32_t written = step_.output_count() + record_.scratch_count;
  for (uint32_t k = 0; k < written; ++k) {
    ARENITE_TRY(step_.where() == Where::kView ? view_output(step_.output_value(k)) : output(k));
  }
  if (step_.where() == Where::kView) {
    return ok_status();
  }
  if (step_.where() == Where::kTransfer) {
    ARENITE_TRY(transfer());
  }
  return kernel();
}

}  // namespace

Status verify_steps(const VerifyTask& task) {
  for (uint32_t i = 0; i < task.variant->step_count; ++i) {
    if (Status status = StepCheck(task, i).all(); !status.ok()) {
      status.step = i;
      return status;
    }
  }
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
