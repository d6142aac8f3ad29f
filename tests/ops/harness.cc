// The reference forms, with threads of their own, and the layouts a case is tried in.
#include "tests/ops/harness.h"

#include <algorithm>
#include <numeric>
#include <thread>

#include "portable_fallback/forms.h"
#include "support/cpu_features.h"
#include "tests/environment_count.h"
#include "tests/ops/with_scratch.h"

namespace arenite::ops_test {
namespace {

struct Threads {
  uint32_t count = 1;
  uint32_t* splits = nullptr;
};

// Pieces of different length, so that their borders fall inside rows and blocks.
void run_on_threads(void* context, uint32_t count, uint32_t, PieceFunction task, void* argument) {
  const auto& threads = *static_cast<const Threads*>(context);
  if (threads.splits != nullptr) ++*threads.splits;
  std::vector<std::thread> running;
  uint32_t first = 0;
  for (uint32_t i = 0; i < threads.count; ++i) {
    const uint64_t weight = uint64_t{i + 1} * (i + 2);
    const uint64_t all = uint64_t{threads.count} * (threads.count + 1);
    const auto last = static_cast<uint32_t>(count * weight / all);
    if (first < last) running.emplace_back(task, argument, first, last, i);
    first = last;
  }
  for (std::thread& thread : running) thread.join();
}

void relay(OpCase& c, const std::function<void(Operand&)>& change) {
  for (Operand& operand : c.inputs) {
    if (!operand.absent && operand.layout == Layout::kStrided) change(operand);
  }
  for (Operand& operand : c.outputs) change(operand);
}

// Whether operand 1 may be given in such a layout of blocks, and its dims then.
bool to_blocks(OpCase& c, Layout layout) {
  if (!find_op(all_ops(), c.op)->contract->packings.take(layout)) return false;
  Operand& w = c.inputs[1];
  if (has_filters(c.op)) {
    if (layout == Layout::kPanel16 && c.attributes[0] != 1) return false;  // groups
  } else {
    // One right side for all batches: what is broadcast becomes a dim of 1.
    for (size_t d = 0; d + 2 < w.dims.size(); ++d) {
      if ((w.repeated >> d & 1u) != 0 && w.dims[d] != 0) w.dims[d] = 1;
      if (w.dims[d] != 1) return false;
    }
    if (w.repeated >> (w.dims.size() - 2) != 0) return false;
  }
  w.repeated = 0;
  w.order.clear();
  w.margin = 0;
  w.layout = layout;
  return true;
}

bool takes(const Form& form, DType type, const Step& step) {
  return has(form.types, type) && reads_weights(form, step) &&
         (form.accepts == nullptr || form.accepts(step));
}

// Runs a step that keeps its contract with the form that choose(step) returns.
template <typename Choose>
Status run_on(const Choose& choose, CaseStep& step, uint32_t threads, uint32_t* splits,
              Pauses* pauses) {
  const Bindings bindings = step.bindings();
  const Step at(bindings, step.record(), 0);
  ARENITE_TRY(check_contract(at, *find_op(all_ops(), at.op())->contract));
  const Form* form = choose(at);
  if (form == nullptr) return error(Code::kNoForm);
  Threads context = {threads, splits};
  Platform platform;
  platform.pauses = pauses;
  if (threads > 1) {
    platform.context = &context;
    platform.parallel_for = run_on_threads;
    platform.threads = threads;
  }
  return WithScratch(at, *form, threads).run(*form, platform);
}

Outcome outcome_of(const CaseStep& step, Status status) {
  Outcome outcome = {status, {}, step.damage()};
  for (uint32_t i = 0; i < step.op_case().outputs.size(); ++i) {
    outcome.outputs.push_back(step.output(i));
  }
  return outcome;
}

}  // namespace

const Form* reference_of(const Step& step) {
  const OpEntry* entry = find_op(all_ops(), step.op());
  if (entry == nullptr) return nullptr;
  const DType type = type_of(step, *entry->contract);
  const Form* last = nullptr;
  for (const Form* const* form = entry->forms; *form != nullptr; ++form) {
    if ((*form)->number < kFirstSpecialForm && takes(**form, type, step)) last = *form;
  }
  return last;
}

std::vector<const Form*> special_forms_that_run(Op op, CpuFeatures features) {
  const CpuFeatures enough = features | kEmulatedCpuFeatures;
  std::vector<const Form*> forms;
  for (const Form* const* form = find_op(all_ops(), op)->forms; *form != nullptr; ++form) {
    const bool runs = (*form)->run != nullptr && ((*form)->needs & ~enough) == 0;
    if ((*form)->number >= kFirstSpecialForm && runs) forms.push_back(*form);
  }
  return forms;
}

Runner on_references(uint32_t threads, uint32_t* splits, Pauses* pauses) {
  return [=](CaseStep& step) { return run_on(reference_of, step, threads, splits, pauses); };
}

Runner on_form(const Form& form, uint32_t threads, uint32_t* splits, Pauses* pauses) {
  return [&form, threads, splits, pauses](CaseStep& step) {
    const auto it = [&form](const Step& at) -> const Form* {
      const DType type = type_of(at, *find_op(all_ops(), at.op())->contract);
      return takes(form, type, at) ? &form : nullptr;
    };
    return run_on(it, step, threads, splits, pauses);
  };
}

Outcome run_case(const OpCase& c, const Runner& runner) {
  CaseStep step(c);
  return run_case(step, runner);
}

Outcome run_case(CaseStep& step, const Runner& runner) {
  step.restore();
  Status status;
  {
    const CaseStep::Poison poison(step);
    status = runner(step);
  }
  return outcome_of(step, status);
}

Outcome run_guarded(CaseStep& step, const Runner& runner, GuardedPages::Flush flush,
                    uint32_t over_read_bytes) {
  step.restore();
  Status status;
  {
    const Guards guards(step, flush, kNanByte, over_read_bytes);
    status = runner(step);
  }
  return outcome_of(step, status);
}

std::vector<OpCase> other_layouts(const OpCase& c) {
  std::vector<OpCase> all;
  const auto add = [&](const char* what, OpCase layout) {
    layout.name += std::string("_") + what;
    all.push_back(std::move(layout));
  };
  OpCase row_major = c;
  relay(row_major, [](Operand& operand) { operand.order.clear(); });
  add("row_major", row_major);

  OpCase last = c;
  relay(last, [](Operand& operand) {
    if (operand.dims.size() >= 3) operand = channels_last(operand);
  });
  add("channels_last", last);

  OpCase reversed = c;
  relay(reversed, [](Operand& operand) {
    operand.order.resize(operand.dims.size());
    std::iota(operand.order.rbegin(), operand.order.rend(), 0u);
  });
  add("reversed", reversed);

  OpCase sliced = last;
  relay(sliced, [](Operand& operand) { operand.margin = 3; });
  add("sliced", sliced);

  OpCase weights_innermost = last;
  if (has_filters(c.op)) {
    // Output channels next to each other: depthwise kernels then run over channels.
    std::vector<uint32_t>& order = weights_innermost.inputs[1].order;
    order.clear();
    for (uint32_t d = 2; d < c.inputs[1].dims.size(); ++d) order.push_back(d);
    order.insert(order.end(), {1, 0});
    add("weights_innermost", weights_innermost);
  }
  OpCase panels = last;
  if (to_blocks(panels, Layout::kPanel16)) add("panels", panels);
  return all;
}

std::vector<OpCase> other_blocks(const OpCase& c) {
  std::vector<OpCase> all;
  OpCase blocked = c;
  if (!to_blocks(blocked, Layout::kBlocked)) return all;
  Operand& w = blocked.inputs[1];
  const uint32_t own_bits = 8 * element_bytes(w.dtype);
  for (const Blocks blocks : {Blocks{2, 1, 8}, Blocks{1, 1, 8}, Blocks{16, 4, 8}, Blocks{4, 4, 16},
                              Blocks{1, 8, 4}, Blocks{2, 2, 4}, Blocks{1, 2, 4}, Blocks{7, 3, 4},
                              Blocks{16, 1, 16}, Blocks{5, 2, 32}, Blocks{8, 1, 32}}) {
    const bool is_byte = w.dtype == DType::kInt8 || w.dtype == DType::kUint8;
    const bool in_half = c.inputs[1].layout == Layout::kPacked4;
    if (blocks.bits != own_bits && !(is_byte && blocks.bits == 16) &&
        !(in_half && blocks.bits == 4)) {
      continue;
    }
    w.blocks = blocks;
    all.push_back(blocked);
    all.back().name = c.name + "_blocks" + std::to_string(blocks.n) + "x" +
                      std::to_string(blocks.k) + "of" + std::to_string(blocks.bits);
  }
  return all;
}

std::vector<OpCase> every_layout(const OpCase& c) {
  std::vector<OpCase> all = other_layouts(c);
  for (OpCase& blocked : other_blocks(c)) all.push_back(std::move(blocked));
  all.insert(all.begin(), c);
  return all;
}

std::vector<OpCase> all_layouts(const OpCase& c) {
  constexpr uint64_t kMany = 10'000;
  std::vector<OpCase> layouts = every_layout(c);
  uint64_t elements = 0;
  for (const Operand& operand : c.inputs) elements += count_of(operand.dims);
  for (const Operand& operand : c.outputs) elements += count_of(operand.dims);
  const char* variable = elements < kMany ? "ARENITE_TEST_SMALL_EVERY" : "ARENITE_TEST_LARGE_EVERY";
  const size_t every = std::max(test::environment_count(variable, 1), 1u);
  std::vector<OpCase> all = {c};
  for (size_t i = 1 + (elements + c.name.size()) % every; i < layouts.size(); i += every) {
    all.push_back(std::move(layouts[i]));
  }
  return all;
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
