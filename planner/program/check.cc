// Opens the program with the runtime's own loader and proves each variant with all forms.
#include "planner/program/check.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/instance.h"
#include "core/predicate.h"
#include "core/state.h"
#include "core/symbols.h"
#include "core/verify.h"
#include "planner/graph/names.h"
#include "planner/program/dispatch_counts.h"
#include "portable_fallback/forms.h"
#include "support/status_text.h"

namespace arenite::planner {
namespace {

void expect_ok(Status status, const std::string& what) {
  if (status.ok()) return;
  throw std::logic_error("the program is refused: " + what + ": " + status_text(status));
}

// All features for a variant that runs by its own forms alone: which of them a machine has makes no
// difference to what is proved.
CpuFeatures own_features(const format::VariantRecord& variant) {
  return (variant.flags & format::kExactForms) != 0 ? ~CpuFeatures{0} : CpuFeatures{0};
}

// Proves one variant. `planned`: each CPU step got the form it was planned for.
Status prove(const Program& program, const TargetForms& target, uint32_t method_index,
             uint32_t variant_index, bool& planned) {
  const format::MethodRecord& method = program.methods()[method_index];
  const format::VariantRecord& variant = program.variants()[method.variant_first + variant_index];
  const std::byte* sections[kMaxSections] = {};
  for (uint32_t i = 0; i < program.sections().size(); ++i) {
    sections[i] = program.section_bytes(i).data();
  }
  Bindings bindings = program.bindings_of(variant);
  std::vector<uint32_t> frame(frame_words(program, method.variant_first + variant_index));
  uint32_t at = kNoIndex;
  LoadOptions options;
  options.method = method_index;
  options.variant = variant_index;
  options.frame = frame;
  options.states = &kGrowingStates;
  if (const Code code = kSymbols.bind(program, options, options.frame, bindings, at);
      code != Code::kOk) {
    return error(code, at);
  }
  bindings.sections = sections;
  FormTask forms = form_task(bindings, program, variant, target.ops, target.features);
  forms.as_planned = true;
  std::vector<uint32_t> proof(variant.value_count);
  const Status status = verify_variant({&program, &method, &variant, &forms}, proof, planned);
  if (!status.ok()) return status;
  if (!program.predicates().empty()) {
    ARENITE_TRY(kPredicates.check({&program, &variant, &bindings}));
  }
  if (program.states().empty()) return status;
  const StateTask states{&program, &variant, method_index, &bindings};
  return check_states(states, kGrowth.grows(states));
}

// The numbers of a method's symbols to prove a variant with.
std::vector<SymbolNumbers> numbers_to_prove(const Program& program, uint32_t method) {
  std::vector<Symbol> symbols;
  for (const format::SymbolRecord& record : symbols_of(program, method)) {
    symbols.push_back({"", record.least, record.most});
  }
  return spread_numbers(symbols, kProvedSizesMax);
}

// Stands for the device of a Vulkan variant: it takes a size where its dispatches are those that
// the plan announces. It reaches no memory of its own.
class ProvingBackend {
 public:
  explicit ProvingBackend(std::span<const std::span<std::byte>> arenas) : arenas_(arenas) {}

  Backend table() {
    Backend backend;
    backend.context = this;
    backend.attach = [](void* context, const BackendTask& task, std::span<std::byte*> arenas) {
      auto& self = *static_cast<ProvingBackend*>(context);
      self.task_ = task;
      for (size_t i = 0; i < arenas.size(); ++i) {
        const auto kind =
            static_cast<format::ArenaKind>(task.program->arenas_of(*task.variant)[i].kind);
        if (format::is_device_arena(kind)) arenas[i] = self.arenas_[i].data();
      }
      return check_dispatch_counts(task);
    };
    backend.resize = [](void* context) {
      return check_dispatch_counts(static_cast<ProvingBackend*>(context)->task_);
    };
    backend.run = [](void*, std::span<const StepRange>) { return error(Code::kUnsupported); };
    backend.detach = [](void*) {};
    return backend;
  }

 private:
  std::span<const std::span<std::byte>> arenas_;
  BackendTask task_;
};

// Proves a variant whose dims follow from symbols as its device does when these are set.
Status prove_sizes(const Program& program, const TargetForms& target, uint32_t method,
                   uint32_t variant_index) {
  const format::MethodRecord& record = program.methods()[method];
  const format::VariantRecord& variant = program.variants()[record.variant_first + variant_index];
  constexpr size_t kArenaAlignment = 64;
  std::vector<std::vector<std::byte>> memory;
  std::vector<std::span<std::byte>> arenas;
  for (const format::ArenaRecord& arena : program.arenas_of(variant)) {
    const size_t alignment = std::max<size_t>(arena.alignment, kArenaAlignment);
    memory.emplace_back(arena.bytes + alignment);
    std::byte* begin = memory.back().data();
    begin += (alignment - reinterpret_cast<uintptr_t>(begin) % alignment) % alignment;
    arenas.emplace_back(begin, arena.bytes);
  }
  std::vector<uint32_t> frame(frame_words(program, record.variant_first + variant_index));
  std::vector<uint32_t> proof(variant.value_count);
  LoadOptions options;
  options.method = method;
  options.variant = variant_index;
  options.arenas = arenas;
  options.ops = target.ops;
  options.features = target.features;
  options.states = &kGrowingStates;
  options.predicates = &kPredicates;
  options.symbols = &kSymbols;
  options.frame = frame;
  options.proof = proof;
  ProvingBackend proving(arenas);
  const Backend backend = proving.table();
  options.backend = &backend;
  ScopedInstance instance;
  ARENITE_TRY(instance.load(program, options));
  for (const SymbolNumbers& numbers : numbers_to_prove(program, method)) {
    const Status status = instance.set_symbols(numbers);
    if (status.ok()) continue;
    std::string text;
    for (const uint32_t number : numbers)
      text += (text.empty() ? "" : ", ") + std::to_string(number);
    throw InputError("method " + std::to_string(method) + ", step " + std::to_string(status.step) +
                     ", cannot be carried out in its form with sizes " + text + ": " +
                     status_text(status) +
                     "; sizes that differ so have methods of their own, as in --dim 'NAME=1|2..8'");
  }
  return ok_status();
}

bool verify(const Program& program, const TargetForms& target, uint32_t method_index,
            uint32_t variant_index) {
  const format::MethodRecord& method = program.methods()[method_index];
  const format::VariantRecord& variant = program.variants()[method.variant_first + variant_index];
  bool planned = false;
  TargetForms elsewhere = target;
  elsewhere.features |= kCodeElsewhere | own_features(variant);
  const Status status = prove(program, elsewhere, method_index, variant_index, planned);
  std::string where =
      "method " + std::to_string(method_index) + ", variant " + std::to_string(variant_index);
  if (status.step < variant.step_count) {
    const auto op = static_cast<Op>(program.steps_of(variant)[status.step].op);
    where += ", " + op_name(op) + " (" + operand_fault(status.code) + ")";
  }
  expect_ok(status, where);
  if (frame_words(program, method.variant_first + variant_index) != 0) {
    expect_ok(prove_sizes(program, elsewhere, method_index, variant_index),
              where + ", other sizes");
  }
  return planned;
}

}  // namespace

Status proof_of(const Program& program, uint32_t method_index, uint32_t variant_index) {
  const format::MethodRecord& method = program.methods()[method_index];
  const format::VariantRecord& variant = program.variants()[method.variant_first + variant_index];
  bool planned = false;
  return prove(program, {.ops = all_ops(), .features = own_features(variant)}, method_index,
               variant_index, planned);
}

bool check_program(const Program& program, const TargetForms& target) {
  ConstantsCursor cursor;
  expect_ok(program.verify_constants(UINT32_MAX, cursor), "constants");
  bool planned = true;
  for (uint32_t m = 0; m < program.methods().size(); ++m) {
    for (uint32_t v = 0; v < program.methods()[m].variant_count; ++v) {
      planned = verify(program, target, m, v) && planned;
    }
  }
  return planned;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
