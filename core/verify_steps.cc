// Checks that each step of a variant reads and writes what it may, from where it runs.
#include <cstring>

#include "core/shape.h"
#include "core/verifier.h"

namespace arenite {

using format::ValueKind;
using format::ValueRecord;
using format::Where;

namespace {

constexpr uint32_t kOps = 0
#define ARENITE_KERNEL_OP(number, name, Type, shader) | uint32_t{1} << number
#define ARENITE_VIEW_OP(number, name, Type) | uint32_t{1} << number
#include "schema/ops.def"
    ;

}  // namespace

bool Verifier::op_fits(const Step& step) const {
  const auto number = static_cast<uint32_t>(step.op());
  const bool on_device = step.where() == Where::kVulkan || step.where() == Where::kTransfer;
  // On a device it writes there, so that there is one to run it.
  return number < 32 && (kOps >> number & 1) != 0 && (step.output_count() != 0 || !on_device);
}

bool Verifier::input_holds(const Step& step, uint32_t index) const {
  const ValueRecord& v = value(index);
  const bool there = kind_of(v) == ValueKind::kConstant ||
                     (v.first_step <= step.index() && step.index() <= v.last_step &&
                      written_before(index, step.index()));
  return there && (step.where() == Where::kView || reachable(index, step.where() == Where::kCpu));
}

bool Verifier::shares_root_with_input(const Step& step, uint32_t index) const {
  for (uint32_t i = 0; i < step.input_count(); ++i) {
    if (step.has_input(i) && root(step.input_value(i)) == root(index)) {
      return true;
    }
  }
  return false;
}

// Output k, or the scratch when k is output_count. It may be a view: a part of a root that several
// steps fill.
bool Verifier::output_holds(const Step& step, uint32_t k) const {
  const uint32_t index = step.output_value(k);
  const ValueRecord& v = value(index);
  const bool constant = kind_of(v) == ValueKind::kConstant;
  if (step.where() == Where::kView) {
    // A view step does nothing: what it gives is a constant, or bytes of one of its inputs.
    return constant || shares_root_with_input(step, index);
  }
  if (constant || v.first_step != step.index() || is_input(root(index)) ||
      !reachable(index, step.where() == Where::kCpu)) {
    return false;
  }
  if (k == step.output_count() &&
      (kind_of(v) != ValueKind::kArena || v.last_step != step.index())) {
    return false;
  }
  // Elements that share bytes would only be work: no more of them than the storage has room for.
  const Tensor out = tensor(index);
  return out.layout == Layout::kStrided && dense_bytes(out) <= out.bytes;
}

// Elements of the same type in the same places.
bool Verifier::same_form(const ValueRecord& a, const ValueRecord& b) const {
  return a.dtype == b.dtype && a.rank == b.rank &&
         // Dims, then strides.
         std::memcmp(bindings_.shapes + a.shape, bindings_.shapes + b.shape, 8u * a.rank) == 0;
}

// Same elements in the same places: the device copies bytes. The check of copy has seen one input
// and one output of the same type and dims.
bool Verifier::transfer_holds(const Step& step) const {
  const ValueRecord& from = value(step.input_value(0));
  const ValueRecord& to = value(step.output_value(0));
  return step.op() == Op::kCopy && kind_of(from) != ValueKind::kConstant &&
         from.bytes == to.bytes && same_form(from, to);
}

// What the step writes shares no byte with its other operands, except output 0 with inputs of which
// it is right. Roots that live on are disjoint already; this is for parts of the same one, and for
// those that yield at this step: it alone reads and writes then, and nothing of them is read later.
bool Verifier::operands_apart(const Step& step, const Kernel& kernel) {
  const uint32_t inputs = step.input_count();
  const uint32_t count = inputs + step.output_count() + step.record().scratch_count;
  const bool cpu = step.where() == Where::kCpu;
  for (uint32_t written = inputs; written < count; ++written) {
    const uint32_t out_index = step.input_value(written);
    const ValueRecord& out = value(out_index);
    for (uint32_t k = 0; k < written; ++k) {
      const uint32_t index = step.input_value(k);
      if (index == kNoIndex) {
        continue;
      }
      const ValueRecord& other = value(index);
      // The one starts inside the other; of the two distances one wraps round.
      const uint32_t ahead = other.offset - out.offset;
      if (kind_of(other) == ValueKind::kConstant || other.place != out.place || other.bytes == 0 ||
          out.bytes == 0 || (ahead >= out.bytes && uint32_t{0} - ahead >= other.bytes)) {
        continue;
      }
      bool good = false;
      if (k < inputs && root(index) == root(out_index)) {
        // Parts of one storage, of a kernel that touches nothing but elements.
        good = kernel.tail_bytes == 0 &&
               share_no_element(tensor(index), other.offset, tensor(out_index), out.offset);
      } else if (written == inputs) {
        good = (ahead == 0 && kernel.in_place >= (cpu ? InPlace::kCpu : InPlace::kAnywhere) &&
                same_form(other, out)) ||
               (cpu && step.serial() && kernel.lead_bytes != nullptr && ahead < out.bytes &&
                ahead >= kernel.lead_bytes(step, k));
      }
      if (!good) {
        return refuse(Code::kOverlap, index);
      }
    }
  }
  return true;
}

// What the kernel's facts ask of operand i.
bool Verifier::kernel_takes(const Kernel& kernel, const Step& step, uint32_t i) {
  const uint32_t index = step.input_value(i);
  const Tensor operand = tensor(index);
  const ValueRecord& v = value(index);
  const uint32_t layouts = i == 1 ? kernel.weight_layouts : 0;
  if (v.layout != 0 && (layouts >> v.layout & 1) == 0) {
    return refuse(Code::kBadLayout, index);
  }
  if (step.where() != Where::kCpu) {
    return true;
  }
  uintptr_t address = reinterpret_cast<uintptr_t>(operand.data);
  if (kind_of(v) != ValueKind::kConstant) {
    address = v.offset | arenas_[v.place].alignment;
  }
  if (kernel.alignment != 0 && (address & (kernel.alignment - 1)) != 0) {
    return refuse(Code::kBadAlignment, index);
  }
  const bool scratch = i == step.input_count() + step.output_count();
  const uint64_t extent = v.layout == 0 && !scratch ? extent_bytes(operand) : 0;
  if (extent != 0 && extent + kernel.tail_bytes > operand.bytes) {
    return refuse(Code::kBadRange, index);
  }
  return true;
}

bool Verifier::step_holds(const Step& step) {
  if (!op_fits(step)) {
    return refuse(Code::kBadStep);
  }
  const bool view = step.where() == Where::kView;
  const Kernel* kernel = view ? nullptr : find_kernel(kernels_, step.op());
  if (!view && kernel == nullptr) {
    return refuse(Code::kNoKernel, static_cast<uint32_t>(step.op()));
  }
  const uint32_t inputs = step.input_count();
  for (uint32_t i = 0; i < inputs + step.output_count() + step.record().scratch_count; ++i) {
    const uint32_t index = step.input_value(i);
    if (index == kNoIndex) {
      continue;
    }
    if (!(i < inputs ? input_holds(step, index) : output_holds(step, i - inputs))) {
      return refuse(Code::kBadStep, index);
    }
    if (!view && !kernel_takes(*kernel, step, i)) {
      return false;
    }
  }
  if (view) {
    return true;
  }
  if (const Status status = kernel->check(step); !status.ok()) {
    return refuse(status);
  }
  if (step.where() == Where::kTransfer && !transfer_holds(step)) {
    return refuse(Code::kBadStep);
  }
  if (step.where() == Where::kCpu && kernel->scratch_bytes != nullptr &&
      kernel->scratch_bytes(step, threads()) > (step.has_scratch() ? step.scratch().bytes : 0)) {
    return refuse(Code::kBadScratch);
  }
  return operands_apart(step, *kernel);
}

bool Verifier::steps() {
  for (uint32_t i = 0; i < task_.variant->step_count; ++i) {
    if (!step_holds(Step(bindings_, steps_[i], i))) {
      status_.step = i;
      return false;
    }
  }
  return true;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
