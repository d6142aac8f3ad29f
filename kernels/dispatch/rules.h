// How an operator's steps become dispatches: one row for each operator that shaders do.
#pragma once

#include "core/step.h"
#include "kernels/dispatch/dispatch.h"

namespace arenite {

struct DispatchRule {
  Op op;
  // Whether shaders do this step; vulkan_supports has looked at what concerns every op (ranges,
  // empty operands, placement) before.
  bool (*supports)(const Step& step);
  // Its dispatches; the step is supported and output 0 is not empty.
  Status (*emit)(const Step& step, const DispatchSink& sink);
  bool takes_empty_inputs = false;  // binds none of them then
};

// Null where there is no shader for the operator: its steps are the CPU's.
const DispatchRule* find_rule(Op op);

// The rules of families, in <family>.cc; the step's op tells the member.
bool supports_unary(const Step& step);
Status emit_unary(const Step& step, const DispatchSink& sink);
bool supports_binary(const Step& step);
Status emit_binary(const Step& step, const DispatchSink& sink);
bool supports_reduce(const Step& step);
Status emit_reduce(const Step& step, const DispatchSink& sink);
bool supports_pool(const Step& step);
Status emit_pool(const Step& step, const DispatchSink& sink);
bool supports_move(const Step& step);
Status emit_move(const Step& step, const DispatchSink& sink);

// Those of operators with files of their own: supports_<name> and emit_<name>, of the rows that
// rules.cc lists.
#define ARENITE_OP_own(number, name, Type, set) \
  bool supports_##name(const Step& step);       \
  Status emit_##name(const Step& step, const DispatchSink& sink);
#include "schema/ops.def"

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
