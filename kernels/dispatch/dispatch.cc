// Asks the rows of a step's operator, the best first, and has the chosen one emit its dispatches.
#include "kernels/dispatch/dispatch.h"

#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/rules.h"
#include "kernels/dispatch/twins.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

// Dispatches of one step wait for each other: all write parts of one value, and the parts of concat
// or of an outer loop interleave, so no tool can see that they are disjoint. Such steps are rare
// and a barrier costs a few microseconds. Where T is float16, twins run in place of their shaders.
struct OrderedSink {
  const DispatchSink& sink;
  DType type;  // T
  bool first = true;

  static Status add(void* context, const Dispatch& dispatch) {
    auto& ordered = *static_cast<OrderedSink*>(context);
    Dispatch copy = dispatch;
    copy.shader = shader_for(dispatch.shader, ordered.type);
    copy.barrier_before = !ordered.first;
    ordered.first = false;
    return ordered.sink.add(ordered.sink.context, copy);
  }
};

}  // namespace

std::optional<DispatchPlan> plan_dispatches(const Step& step, const Capabilities& device) {
  for (const DispatchRow& row : rows_of(step.op())) {
    if (const std::optional<DispatchPlan> plan = plan_by(row, step, device)) return plan;
  }
  return std::nullopt;
}

std::optional<DispatchPlan> plan_dispatches(std::span<const Step> sizes,
                                            const Capabilities& device) {
  const std::span<const DispatchRow> rows = rows_of(sizes[0].op());
  for (const DispatchRow& row : rows) {
    const std::optional<DispatchPlan> plan = plan_by(row, sizes[0], device);
    if (plan && fit_to(row, sizes, device, plan->choice)) {
      return fit_to(row, sizes, device, plan->choice);
    }
  }
  for (const DispatchRow& row : rows) {
    for (const Step& step : sizes) {
      const std::optional<DispatchPlan> plan = plan_by(row, step, device);
      if (plan && fit_to(row, sizes, device, plan->choice)) {
        return fit_to(row, sizes, device, plan->choice);
      }
    }
  }
  return std::nullopt;
}

bool is_carried_out(const Step& step) {
  const DispatchRow* row = find_row(step);
  return row != nullptr && carries_out(*row, step);
}

Status emit_dispatches(const Step& step, const DispatchSink& sink) {
  const DispatchRow* row = find_row(step);
  if (row == nullptr || !carries_out(*row, step)) return error(Code::kUnsupported);
  if (output_operand(step, 0).count() == 0) return ok_status();
  if (row->check != nullptr) ARENITE_TRY(row->check(step, sink));
  OrderedSink ordered{sink, type_of(step, *find_contract(step.op()))};
  return row->emit(step, {&ordered, OrderedSink::add});
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
