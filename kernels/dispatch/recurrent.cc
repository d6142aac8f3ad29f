// Family recurrent through recurrent.comp: the products with all inputs in one pass, then the time
// steps, each a dispatch (form 0), or one group for each sequence (form 1), where a step is too
// little work to be worth a barrier between dispatches.
#include "kernels/shaders/recurrent.h"

#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/index_check.h"
#include "kernels/dispatch/row_files.h"
#include "ops/recurrent.h"

namespace arenite {
namespace {

using Words = shaders::Recurrent;
using Pass = Words::Pass;

// Products of a step that one group of 64 does about as fast as a barrier between dispatches takes.
constexpr uint64_t kGroupProducts = 65536;
constexpr uint32_t kOtherPasses = 16;  // dispatches beside the steps, at most

// Words of the scratch, as recurrent.comp describes them.
struct Places {
  uint64_t lengths, bias, peepholes, initial, cells, resets, gates, end;
};

Places places_of(const RecurrentSizes& n, uint32_t gates) {
  const uint64_t width = uint64_t{gates} * n.hidden;
  const uint64_t state = uint64_t{n.directions} * n.batch * n.hidden;
  Places p = {};
  p.bias = p.lengths + n.batch;
  p.peepholes = p.bias + 2 * width * n.directions;
  p.initial = p.peepholes + uint64_t{3} * n.hidden * n.directions;
  p.cells = p.initial + state;
  p.resets = p.cells + state;
  p.gates = p.resets + state;
  p.end = p.gates + state * n.steps * gates;
  return p;
}

struct Recurrent {
  const Step& step;
  RecurrentSizes n;
  RecurrentAttributes attributes;
  uint32_t gates;
  Places places;
  Operand scratch, w, r;
  bool group;

  Recurrent(const Step& of, bool in_groups)
      : step(of),
        n(recurrent_sizes(of)),
        attributes(of.attributes<RecurrentAttributes>()),
        gates(gates_of(of.op())),
        places(places_of(n, gates)),
        scratch(scratch_operand(of)),
        w(input_operand(of, kW)),
        r(input_operand(of, kR)),
        group(in_groups) {}

  bool resets() const { return step.op() == Op::kGRU && attributes.variant == 0; }
};

// Push words that all passes of a step share, with the tensor of a copy.
struct PassWords {
  Pass pass;
  uint32_t count;
  uint32_t number = 0;
  uint32_t to = 0;
  uint32_t skip = 0;
  uint32_t dims[4] = {1, 1, 1, 1};
  uint32_t strides[4] = {};
  bool group = false;
};

DispatchBuilder builder_of(const Recurrent& task, const PassWords& words) {
  const RecurrentSizes& n = task.n;
  const Places& at = task.places;
  const auto tensor = [](const Operand& operand) {
    return Words::Tensor{.skip = operand.skip, .strides = shaders::first_of(operand.strides)};
  };
  const auto function = [&](uint32_t i) {
    const CellFunction& of = task.attributes.functions[i];
    return Words::Function{.kind = of.kind, .a = of.a, .b = of.b};
  };
  return DispatchBuilder(
      Words{.spec = {.op = task.step.op(),
                     .pass = words.pass,
                     .group = words.group,
                     .variant = task.attributes.variant,
                     .clips = task.attributes.clip != 0.0f},
            .push = {.count = words.count,
                     .number = words.number,
                     .to = words.to,
                     .skip = words.skip,
                     .dims = words.dims,
                     .strides = words.strides},
            .parameters = {
                .steps = n.steps,
                .batch = n.batch,
                .inputs = n.inputs,
                .hidden = n.hidden,
                .directions = n.directions,
                .direction = task.attributes.direction,
                .clip = task.attributes.clip,
                .lengths = static_cast<uint32_t>(at.lengths),
                .bias = static_cast<uint32_t>(at.bias),
                .peepholes = static_cast<uint32_t>(at.peepholes),
                .initial = static_cast<uint32_t>(at.initial),
                .cells = static_cast<uint32_t>(at.cells),
                .resets = static_cast<uint32_t>(at.resets),
                .gates = static_cast<uint32_t>(at.gates),
                .tensors = {tensor(input_operand(task.step, kX)), tensor(task.w), tensor(task.r)},
                .functions = {function(0), function(1), function(2), function(3), function(4),
                              function(5)}}});
}

// The dims of a tensor, outermost first, ones before them.
void describe(PassWords& words, const Operand& operand) {
  words.skip = operand.skip;
  for (uint32_t d = 0; d < operand.rank; ++d) {
    words.dims[4 - operand.rank + d] = operand.dims[d];
    words.strides[4 - operand.rank + d] = operand.strides[d];
  }
}

// Input `i`, or what stands for it where it is absent, to `to` in the scratch.
struct CopyIn {
  uint32_t i;
  uint64_t to;
  uint64_t count;
  uint32_t otherwise;
};

Status emit_copy_in(const Recurrent& task, const CopyIn& copy, const DispatchSink& sink) {
  const bool there = task.step.has_input(copy.i);
  const Operand from = there ? input_operand(task.step, copy.i) : task.w;
  PassWords words = {.pass = there ? Pass::kCopyIn : Pass::kFill,
                     .count = static_cast<uint32_t>(copy.count)};
  words.to = static_cast<uint32_t>(copy.to);
  words.skip = copy.otherwise;
  if (there) describe(words, from);
  DispatchBuilder builder = builder_of(task, words);
  builder.buffer(from).buffer(task.w).buffer(task.scratch);
  return builder.run_invocations(sink, copy.count);
}

Status emit_copies_in(const Recurrent& task, const DispatchSink& sink) {
  const RecurrentSizes& n = task.n;
  const Places& at = task.places;
  const bool lstm = task.step.op() == Op::kLSTM;
  const CopyIn copies[] = {
      {kLengths, at.lengths, n.batch, n.steps},
      {kBias, at.bias, at.peepholes - at.bias, 0},
      {kInitialH, at.initial, at.cells - at.initial, 0},
      {kPeepholes, at.peepholes, at.initial - at.peepholes, 0},
      {kInitialC, at.cells, at.resets - at.cells, 0},
  };
  for (const CopyIn& copy : copies) {
    if (!lstm && copy.i > kInitialH) break;
    ARENITE_TRY(emit_copy_in(task, copy, sink));
  }
  return ok_status();
}

uint64_t project_invocations(const RecurrentSizes& n, uint32_t gates) {
  const uint64_t rows = uint64_t{n.steps} * n.batch;
  return (rows + Words::kRowsEach - 1) / Words::kRowsEach * n.directions * gates * n.hidden;
}

Status emit_project(const Recurrent& task, const DispatchSink& sink) {
  const uint64_t count = project_invocations(task.n, task.gates);
  DispatchBuilder builder =
      builder_of(task, {.pass = Pass::kProject, .count = static_cast<uint32_t>(count)});
  builder.buffer(input_operand(task.step, kX)).buffer(task.w).buffer(task.scratch);
  return builder.run_invocations(sink, count);
}

Status emit_step(const Recurrent& task, Pass pass, uint32_t number, const DispatchSink& sink) {
  const uint32_t sequences = task.n.directions * task.n.batch;
  const uint32_t count = task.group ? sequences : sequences * task.n.hidden;
  DispatchBuilder builder =
      builder_of(task, {.pass = pass, .count = count, .number = number, .group = task.group});
  builder.buffer(task.r).buffer(task.r).buffer(task.scratch);
  return task.group ? builder.run_groups(sink, count) : builder.run_invocations(sink, count);
}

Status emit_steps(const Recurrent& task, const DispatchSink& sink) {
  if (task.group) return emit_step(task, Pass::kUpdate, 0, sink);
  for (uint32_t number = 0; number < task.n.steps; ++number) {
    if (task.resets()) ARENITE_TRY(emit_step(task, Pass::kReset, number, sink));
    ARENITE_TRY(emit_step(task, Pass::kUpdate, number, sink));
  }
  return ok_status();
}

Status emit_copies_out(const Recurrent& task, const DispatchSink& sink) {
  for (const RecurrentOutput output : {kY, kYH, kYC}) {
    const uint32_t place = place_of_output(task.attributes.outputs, output);
    if (place == kNoIndex) continue;
    const Operand to = output_operand(task.step, place);
    PassWords words = {.pass = Pass::kCopyOut, .count = static_cast<uint32_t>(to.count())};
    words.number = output;
    describe(words, to);
    DispatchBuilder builder = builder_of(task, words);
    builder.buffer(task.scratch).buffer(task.w).buffer(to);
    ARENITE_TRY(builder.run_invocations(sink, to.count()));
  }
  return ok_status();
}

Status emit(const Step& step, bool group, const DispatchSink& sink) {
  const Recurrent task(step, group);
  ARENITE_TRY(emit_copies_in(task, sink));
  ARENITE_TRY(emit_project(task, sink));
  ARENITE_TRY(emit_steps(task, sink));
  return emit_copies_out(task, sink);
}

bool fits(const Step& step) {
  const RecurrentSizes n = recurrent_sizes(step);
  const uint32_t gates = gates_of(step.op());
  const uint64_t state = uint64_t{n.directions} * n.batch * n.hidden;
  // One after another, so that no product passes 64 bits.
  return state < kMaxInvocations && state * gates < kMaxInvocations &&
         state * gates * n.steps < kMaxInvocations && places_of(n, gates).end < kMaxInvocations &&
         project_invocations(n, gates) < kMaxInvocations;
}

uint64_t step_dispatches(const Step& step) {
  const auto attributes = step.attributes<RecurrentAttributes>();
  const bool resets = step.op() == Op::kGRU && attributes.variant == 0;
  return uint64_t{recurrent_sizes(step).steps} * (resets ? 2 : 1) + kOtherPasses;
}

bool accepts_recurrent(const Step& step) {
  return fits(step) && step_dispatches(step) <= kMaxStepDispatches;
}

Status emit_recurrent(const Step& step, const DispatchSink& sink) {
  return emit(step, false, sink);
}

bool accepts_recurrent_group(const Step& step) {
  return fits(step) && recurrent_sizes(step).hidden <= Words::kSharedHidden;
}

bool accepts_recurrent_lengths(const Step& step) {
  return step.has_input(kLengths) && accepts_recurrent(step);
}

bool accepts_recurrent_group_lengths(const Step& step) {
  return step.has_input(kLengths) && accepts_recurrent_group(step);
}

// A sequence may be as long as x.
Status check_recurrent(const Step& step, const DispatchSink& sink) {
  const uint32_t steps = recurrent_sizes(step).steps;
  return emit_index_check({.indices = input_operand(step, kLengths), .sizes = {steps + 1}}, sink);
}

uint32_t choose_recurrent_group(const Step& step, const Capabilities&) {
  const RecurrentSizes n = recurrent_sizes(step);
  const uint64_t products = uint64_t{n.hidden} * n.hidden * gates_of(step.op());
  // A single step is not worth a barrier, and too many are no dispatches each.
  const bool suits =
      (n.steps > 1 && products <= kGroupProducts) || step_dispatches(step) > kMaxStepDispatches;
  return suits ? 0 : kNotSuitable;
}

Status emit_recurrent_group(const Step& step, const DispatchSink& sink) {
  return emit(step, true, sink);
}

uint64_t scratch_bytes_of_recurrent(const Step& step) {
  return places_of(recurrent_sizes(step), gates_of(step.op())).end * sizeof(uint32_t);
}

constexpr DispatchRow kRows[] = {
    {.form = 3,
     .shader = Shader::kRecurrent,
     .types = types::kFloat32,
     .accepts = accepts_recurrent_group_lengths,
     .emit = emit_recurrent_group,
     .choose = choose_recurrent_group,
     .check = check_recurrent,
     .scratch_bytes = scratch_bytes_of_recurrent},
    {.form = 2,
     .shader = Shader::kRecurrent,
     .types = types::kFloat32,
     .accepts = accepts_recurrent_lengths,
     .emit = emit_recurrent,
     .check = check_recurrent,
     .scratch_bytes = scratch_bytes_of_recurrent},
    {.form = 1,
     .shader = Shader::kRecurrent,
     .types = types::kFloat32,
     .accepts = accepts_recurrent_group,
     .emit = emit_recurrent_group,
     .choose = choose_recurrent_group,
     .scratch_bytes = scratch_bytes_of_recurrent},
    {.form = 0,
     .shader = Shader::kRecurrent,
     .types = types::kFloat32,
     .accepts = accepts_recurrent,
     .emit = emit_recurrent,
     .scratch_bytes = scratch_bytes_of_recurrent},
};

}  // namespace

std::span<const DispatchRow> recurrent_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
