// Lays out, lowers and orders each method once for each set of features, and shares equal results.
#include "planner/steps/candidates.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "kernels/dispatch/dispatch.h"
#include "planner/graph/half_floats.h"
#include "planner/graph/names.h"
#include "planner/passes/integers/interleaved_parts.h"
#include "planner/passes/integers/joined_depthwise.h"
#include "planner/passes/integers/joined_excitations.h"
#include "planner/passes/integers/joined_gates.h"
#include "planner/passes/integers/joined_lookups.h"
#include "planner/passes/integers/joined_sums.h"
#include "planner/passes/integers/rows_as_pixels.h"
#include "planner/passes/integers/without_residuals.h"
#include "planner/steps/cuts.h"
#include "planner/steps/few_halves.h"
#include "planner/steps/variant/partition.h"
#include "support/cpu_features.h"

namespace arenite::planner {
namespace {

// Sizes at which shaders are asked whether they do the steps; all are proved later.
constexpr size_t kOtherSizesMax = 4;

Optimize default_optimize(const Board& board) {
  const bool limited = std::any_of(
      board.memories.begin(), board.memories.end(),
      [](const BoardMemory& memory) { return memory.memory.size_bytes != memory::kUnbounded; });
  return limited ? Optimize::kMemory : Optimize::kSpeed;
}

// Returns the operator, form and name of each step that the CPU computes, whatever the order.
std::multiset<std::tuple<Op, uint8_t, std::string>> work_in(const Schedule& plan) {
  std::multiset<std::tuple<Op, uint8_t, std::string>> work;
  for (const ScheduledStep& step : plan.steps) {
    if (step.where == format::Where::kCpu) {
      work.emplace(step.op, step.forms.chosen()->number, step.name);
    }
  }
  return work;
}

// The candidates of one method for all boards.
class CandidateMaker {
 public:
  CandidateMaker(const NamedGraph& named, const PlanOptions& options, const TargetForms& forms,
                 const PeakPasses& passes, ConstantPool& pool)
      : named_(named),
        graph_(named.graph),
        has_symbols_(!named.symbols.empty()),
        options_(options),
        forms_(forms),
        passes_(passes),
        pool_(pool),
        has_few_halves_(!options.few_halves && has_few_halves(named.graph, forms.ops)) {
    method_.method = named.method;
    // Safe distances are those of one size.
    if (has_symbols_) passes_.partial_overlap = passes_.input_copies = passes_.moving_parts = false;
  }

  UnplacedMethod make(PlanProgress& progress) {
    for (const Board& board : options_.boards) {
      for (size_t i = 0; i < board.variants.size(); ++i) {
        if (board.variants[i].for_halves && !has_halves(graph_)) continue;
        progress.begin("making", method_.method, board);
        add_variant(board, i);
      }
    }
    return std::move(method_);
  }

 private:
  // The forms that a variant is planned with.
  TargetForms forms_for(const Board& board, CpuFeatures features, Optimize optimize) const {
    TargetForms forms = forms_;
    forms.features = features;
    forms.exact = has_exact_forms(options_, board);
    forms.few_bytes = optimize == Optimize::kMemory;
    forms.whole_bytes = has_few_halves_;
    return forms;
  }

  // One layout for each set of features, aim and need of references: forms differ by them. And for
  // each graph.
  const GraphLayout& layout_for(const TargetForms& forms, const PeakPasses& passes,
                                bool on_device) {
    const std::tuple key(forms.features, forms.few_bytes, forms.exact, passes.parts_for_bytes,
                         on_device);
    const auto found = layouts_.find(key);
    if (found != layouts_.end()) return found->second;
    return layouts_.emplace(key, lay_out_parts(graph_for(forms, on_device), forms, passes))
        .first->second;
  }

  // Only forms with vectors add residuals. Only a program that brings its own image, and all
  // references stay out of it, gains by operators that it does without. A device gains by fewer
  // dispatches.
  const Graph& graph_for(const TargetForms& forms, bool on_device) {
    if (has_symbols_) return graph_;
    constexpr CpuFeatures kFloatRows = cpu_features::kFpu | cpu_features::kMveFp;
    const bool residuals = (forms.features & cpu_features::kF32x4) != 0;
    const bool floats = (forms.features & kFloatRows) != 0;
    const std::tuple key(residuals, forms.exact, floats, on_device, forms.few_bytes);
    const auto found = graphs_.find(key);
    if (found != graphs_.end()) return found->second;
    Graph graph = residuals ? graph_ : without_residuals(graph_).value_or(graph_);
    if (forms.exact) graph = with_rows_as_pixels(graph, floats).value_or(graph);
    if (on_device) {
      // Variants for CPUs and GPUs then hold the gates' weights twice.
      if (!forms.few_bytes) {
        graph = with_joined_gates(graph).value_or(graph);
        graph = with_joined_excitations(graph).value_or(graph);
      }
      graph = with_joined_depthwise(graph, forms.few_bytes).value_or(graph);
      graph = with_joined_sums(graph).value_or(graph);
      graph = with_joined_lookups(graph).value_or(graph);
      graph = with_interleaved_parts(graph).value_or(graph);
    }
    return graphs_.emplace(key, std::move(graph)).first->second;
  }

  ShaderSupport shaders_for(const BoardVariant& variant) const {
    if (!variant.vulkan.has_value()) return {};
    return [&options = options_, device = *variant.vulkan](const Step& step) {
      return plan_dispatches(step, device).has_value() &&
             (!options.shader_filter || options.shader_filter(step));
    };
  }

  // Whether a later variant of the board, for a plainer CPU, would be the very same plan.
  bool comes_again(const Board& board, size_t index, const Schedule& plan) {
    const BoardVariant& variant = board.variants[index];
    if (plan.vulkan) return false;
    for (size_t i = index + 1; i < board.variants.size(); ++i) {
      const BoardVariant& later = board.variants[i];
      if (later.vulkan.has_value() || (later.cpu_features & ~variant.cpu_features) != 0 ||
          (used_features(plan) & ~later.cpu_features) != 0) {
        continue;
      }
      method_.notes.push_back("board " + board.name + ": the variant for " +
                              cpu_features_text(variant.cpu_features & ~later.cpu_features) +
                              " is left out: no form that it would use needs them");
      return true;
    }
    return false;
  }

  static bool keeps_halves(const UnplacedVariant& variant) {
    return std::ranges::any_of(variant.low.recipe.work, &StepWork::halves);
  }

  bool is_most(const SymbolNumbers& numbers) const {
    return std::ranges::equal(named_.symbols, numbers, {}, &Symbol::most);
  }

  // The graph at a few other sizes: the least and the most of each dim, and between them.
  const std::vector<Graph>& other_sizes() {
    if (!has_symbols_ || !other_sizes_.empty()) return other_sizes_;
    for (const SymbolNumbers& numbers : spread_numbers(named_.symbols, kOtherSizesMax)) {
      if (is_most(numbers)) continue;
      try {
        other_sizes_.push_back(named_.graph_at(numbers));
      } catch (const std::runtime_error&) {
        // What import cannot make is refused when expressions are looked for, with a reason.
      }
    }
    return other_sizes_;
  }

  // The steps with the dims of other sizes, of those that have the same steps.
  std::vector<Schedule> at_other_sizes(const ReducedSteps& steps, const Target& target) {
    std::vector<Schedule> others;
    for (const Graph& graph : other_sizes()) {
      try {
        others.push_back(remade_steps(graph, steps.recipe, target, pool_));
      } catch (const InputError&) {
        // Other steps; what they need is proved when the program is written.
      }
    }
    return others;
  }

  // The steps on their machines. Nothing where shaders are wanted and support none. Steps that no
  // shader does at every size are left to the CPU from then on (target.left_to_cpu): the candidate
  // is no good then.
  std::optional<VariantCandidate> on_machines(ReducedSteps steps, const Board& board,
                                              const BoardVariant& wanted, Target& target) {
    VariantCandidate candidate;
    if (wanted.vulkan.has_value()) {
      std::vector<uint32_t> not_done;
      steps.recipe.work =
          work_of(steps.schedule, at_other_sizes(steps, target), pool_, *wanted.vulkan, not_done);
      for (const uint32_t s : not_done) {
        if (!has_symbols_) throw std::logic_error("no shader does " + steps.schedule.steps[s].name);
        target.left_to_cpu.insert(steps.schedule.steps[s].name);
      }
      choose_cuts(steps.schedule, board, steps.recipe.work);
      auto plan = vulkan_variant(steps.schedule, steps.recipe.work, target.forms, pool_);
      if (!plan.has_value()) return std::nullopt;
      candidate.plan = *std::move(plan);
    } else {
      candidate.plan = cpu_variant(std::move(steps.schedule));
      if (options_.caller_io) leave_io_to_caller(candidate.plan);
    }
    candidate.lowering = std::move(steps.report);
    candidate.explained = std::move(steps.explained);
    candidate.recipe = std::move(steps.recipe);
    return candidate;
  }

  // The candidates with the costs of `target`; false where there is none.
  bool add_candidates(const Board& board, const BoardVariant& wanted, Target& target,
                      const PeakPasses& passes, UnplacedVariant& variant) {
    for (;;) {
      const size_t left_to_cpu = target.left_to_cpu.size();
      ReducedVariant reduced = reduce_peak(
          layout_for(variant.forms, passes, wanted.vulkan.has_value()), target, pool_, passes);
      auto low = on_machines(std::move(reduced.low), board, wanted, target);
      std::optional<VariantCandidate> plain;
      if (reduced.plain.has_value())
        plain = on_machines(*std::move(reduced.plain), board, wanted, target);
      if (target.left_to_cpu.size() != left_to_cpu) continue;
      if (!low.has_value()) return false;
      variant.low = *std::move(low);
      variant.plain = std::move(plain);
      variant.plain_bytes = reduced.plain_bytes;
      return true;
    }
  }

  void add_variant(const Board& board, size_t index) {
    const BoardVariant& wanted = board.variants[index];
    UnplacedVariant variant;
    variant.board = &board;
    variant.board_variant = index;
    variant.optimize = options_.optimize.value_or(default_optimize(board));
    variant.forms = forms_for(board, wanted.cpu_features, variant.optimize);
    variant.has_symbols = has_symbols_;
    Target target = cpu_target(board, variant.forms);
    target.shaders = shaders_for(wanted);
    target.explained = options_.explained;
    target.any_size = has_symbols_;
    const bool is_measured = !board.costs.empty();
    if (is_measured && variant.optimize == Optimize::kSpeed) target.costs = &board.costs;
    const PeakPasses passes = passes_for(board, variant.optimize, wanted);
    variant.overlaps = overlap_passes(passes);
    if (!add_candidates(board, wanted, target, passes, variant)) {
      if (!target.left_to_cpu.empty()) {
        method_.notes.push_back("board " + board.name + ": method " + printable(method_.method) +
                                " has no variant for Vulkan: no shader does a step of it at every "
                                "size that callers may choose");
      }
      return;
    }
    if (wanted.for_halves && !keeps_halves(variant)) return;
    if (comes_again(board, index, variant.low.plan)) return;
    note_equal_aims(board, wanted, target, variant);
    if (is_measured && target.costs == nullptr) {
      target.costs = &board.costs;
      UnplacedVariant by_costs;
      by_costs.forms = variant.forms;
      if (add_candidates(board, wanted, target, passes, by_costs)) {
        variant.measured = std::move(by_costs.low);
      }
    }
    variant.reserves_fallback = variant.low.plan.vulkan && options_.reserve_fallback;
    method_.variants.push_back(std::move(variant));
  }

  // Passes that save bytes at the cost of time are off for speed: copies to save bytes, and where
  // there are several threads what leaves a step to one. On a device no pass costs time, and parts
  // written in place save dispatches; on hosts, copies that go through their caches.
  PeakPasses passes_for(const Board& board, Optimize optimize, const BoardVariant& wanted) const {
    PeakPasses passes = passes_;
    if (optimize != Optimize::kSpeed) return passes;
    const bool is_host = board.threads_max > 1;
    if (!wanted.vulkan.has_value()) {
      passes.copies_for_bytes = false;
      if (is_host) passes.partial_overlap = passes.serial_steps = false;
    }
    if (is_host || wanted.vulkan.has_value()) passes.parts_for_bytes = false;
    return passes;
  }

  // Tells a user who asked for speed where the steps for fewest bytes are the same. Several threads
  // may run steps at once that would be one thread's then.
  void note_equal_aims(const Board& board, const BoardVariant& wanted, const Target& target,
                       const UnplacedVariant& variant) {
    if (options_.optimize != Optimize::kSpeed || board.threads_max > 1 || wanted.vulkan) return;
    const TargetForms forms = forms_for(board, wanted.cpu_features, Optimize::kMemory);
    Target for_memory = target;
    for_memory.forms = forms;
    for_memory.costs = nullptr;
    for_memory.explained.clear();
    UnplacedVariant other;
    other.forms = forms;
    const PeakPasses passes = passes_for(board, Optimize::kMemory, wanted);
    if (!add_candidates(board, wanted, for_memory, passes, other) ||
        work_in(other.low.plan) != work_in(variant.low.plan)) {
      return;
    }
    method_.notes.push_back("board " + board.name +
                            ": --optimize speed changes nothing in method " +
                            printable(method_.method) + ": --optimize memory has the same steps");
  }

  const NamedGraph& named_;
  const Graph& graph_;
  const bool has_symbols_;
  std::map<std::tuple<bool, bool, bool, bool, bool>, Graph> graphs_;  // graph_for
  std::vector<Graph> other_sizes_;
  const PlanOptions& options_;
  const TargetForms& forms_;
  PeakPasses passes_;
  ConstantPool& pool_;
  const bool has_few_halves_;
  std::map<std::tuple<CpuFeatures, bool, bool, bool, bool>, GraphLayout> layouts_;
  UnplacedMethod method_;
};

}  // namespace

PlanProgress::PlanProgress(const PlanOptions& options, size_t methods) : hook_(options.progress) {
  for (const Board& board : options.boards) parts_ += 2 * board.variants.size() * methods;
}

void PlanProgress::begin(const char* what, const std::string& method, const Board& board) {
  tell(hook_, std::string(what) + " " + printable(method) + " for " + board.name, done_++, parts_);
}

std::vector<UnplacedMethod> make_candidates(const std::vector<NamedGraph>& graphs,
                                            const PlanOptions& options, const TargetForms& forms,
                                            const PeakPasses& passes, ConstantPool& pool,
                                            PlanProgress& progress) {
  std::vector<UnplacedMethod> methods;
  for (const NamedGraph& named : graphs) {
    methods.push_back(CandidateMaker(named, options, forms, passes, pool).make(progress));
  }
  return methods;
}

Schedule remade_variant(const Graph& graph, const Board& board, const TargetForms& forms,
                        const StepRecipe& recipe, bool caller_io, ConstantPool& pool) {
  Schedule plan = remade_steps(graph, recipe, cpu_target(board, forms), pool);
  if (!recipe.work.empty()) return vulkan_variant(plan, recipe.work, forms, pool).value();
  if (caller_io) leave_io_to_caller(plan);
  return plan;
}

CpuFeatures used_features(const Schedule& plan) {
  CpuFeatures used = 0;
  for (const ScheduledStep& step : plan.steps) {
    if (step.where == format::Where::kCpu) used |= step.forms.chosen()->needs;
  }
  return used;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
