// Makes the steps again for samples until one expression is left for each word.
#include "planner/symbols/symbolic_variants.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>

#include "core/symbols.h"
#include "planner/graph/names.h"
#include "planner/symbols/alignment.h"
#include "planner/symbols/expressions.h"
#include "support/printable.h"

namespace arenite::planner {
namespace {

// Numbers of a symbol in a row from its least and up to its most, and between them, that are
// sampled in any case.
constexpr uint32_t kSampledInARow = 3;
// Samples along a symbol that have the steps of the most; more lie beyond the most, if need be.
constexpr size_t kAlongMin = 6;
constexpr uint32_t kBeyondMax = 12;
// Each is a graph that is made; a few tell all apart.
constexpr size_t kSamplesMax = 200;

// Dims of values by name, of a graph whose steps are simpler ones: where a dim is 1, say.
struct SimplerGraph {
  struct Made {
    Op op;
    std::vector<uint32_t> dims;
  };

  SymbolNumbers numbers;
  std::map<std::string, Made> values;  // what nodes make
  std::string why;                     // its steps are others
};

class SymbolFollower {
 public:
  SymbolFollower(const NamedGraph& named, std::span<const PlacedVariant> variants, bool caller_io,
                 ConstantPool& pool)
      : named_(named), variants_(variants), caller_io_(caller_io), pool_(pool) {
    words_.resize(variants.size());
  }

  std::vector<SymbolicSchedule> run() {
    add_first_samples();
    std::vector<SymbolicSchedule> found(variants_.size());
    for (size_t v = 0; v < variants_.size();) {
      ExpressionFinder finder(named_.symbols, samples_);
      found[v] = symbolic(v, finder);
      const std::optional<SymbolNumbers> wanted = finder.wanted_sample();
      if (!wanted) {
        ++v;
        continue;
      }
      if (samples_.size() >= kSamplesMax || !add_sample(*wanted)) fail_unclear();
      v = 0;
    }
    for (size_t v = 0; v < variants_.size(); ++v) {
      for (const SimplerGraph& simpler : simpler_) check_dims(variants_[v].plan, found[v], simpler);
      check_states(variants_[v].plan, found[v]);
    }
    return found;
  }

 private:
  // "len=1..64".
  std::string range_text() const {
    std::string text;
    for (const Symbol& symbol : named_.symbols) {
      text += (text.empty() ? "" : ", ") + printable(symbol.name) + "=" +
              std::to_string(symbol.least) + ".." + std::to_string(symbol.most);
    }
    return text;
  }

  SymbolNumbers most() const {
    SymbolNumbers numbers;
    for (const Symbol& symbol : named_.symbols) numbers.push_back(symbol.most);
    return numbers;
  }

  [[noreturn]] void fail_unclear() const {
    const std::string why = simpler_.empty() ? "" : " (" + simpler_.back().why + ")";
    throw InputError("method " + printable(named_.method) + ": " + range_text() +
                     ": how the steps follow from these is not clear from " +
                     std::to_string(samples_.size()) + " of them" + why +
                     "; a few sizes can have methods of their own, as in --dim 'NAME=16|32|64'");
  }

  // Each symbol alone, the others at their most; then all of them together.
  void add_first_samples() {
    if (!add_sample(most())) throw std::logic_error("steps that cannot be made again");
    std::vector<std::vector<uint32_t>> numbers(named_.symbols.size());
    for (size_t s = 0; s < numbers.size(); ++s) add_samples_along(s, numbers[s]);
    for (size_t i = 0; numbers.size() > 1 && i < kAlongMin; ++i) {
      SymbolNumbers sample;
      for (size_t s = 0; s < numbers.size(); ++s) {
        sample.push_back(numbers[s][(i * (s + 1) + s) % numbers[s].size()]);
      }
      add_sample(sample);
    }
  }

  // `numbers` gets those of the symbol that have the steps of the most.
  void add_samples_along(size_t s, std::vector<uint32_t>& numbers) {
    const Symbol& symbol = named_.symbols[s];
    std::set<uint32_t> some;
    for (uint32_t i = 0; i < kSampledInARow; ++i) {
      some.insert(std::min(symbol.least + i, symbol.most));
      some.insert(std::max(symbol.most - std::min(i, symbol.most), symbol.least));
      some.insert(symbol.least + (symbol.most - symbol.least) / 4 * (i + 1));
    }
    SymbolNumbers sample = most();
    for (const uint32_t number : some) {
      sample[s] = number;
      if (add_sample(sample) || number == symbol.most) numbers.push_back(number);
    }
    for (uint32_t i = 1; numbers.size() < kAlongMin && i <= kBeyondMax; ++i) {
      sample[s] = symbol.most + i;
      if (add_sample(sample)) numbers.push_back(sample[s]);
    }
    if (numbers.size() < kAlongMin) fail_unclear();
  }

  bool is_in_range(const SymbolNumbers& numbers) const {
    for (size_t s = 0; s < numbers.size(); ++s) {
      if (numbers[s] > named_.symbols[s].most) return false;
    }
    return true;
  }

  // False where the steps for these numbers cannot be compared with those for the most.
  bool add_sample(const SymbolNumbers& numbers) {
    if (!known_.insert(numbers).second) return false;
    Graph graph;
    try {
      graph = named_.graph_at(numbers);
    } catch (const std::runtime_error& error) {  // InputError, and what import cannot make
      if (!is_in_range(numbers)) return false;
      throw InputError("method " + printable(named_.method) + " cannot be made with " +
                       symbols_text(named_.symbols, numbers) + ": " + error.what() +
                       "; expected a range that the model takes wholly, or sizes, as in --dim "
                       "'NAME=64|96|128'");
    }
    try {
      std::vector<std::vector<int64_t>> words;
      for (const PlacedVariant& placed : variants_) {
        const Schedule plan =
            remade_variant(graph, *placed.board, placed.forms, placed.recipe, caller_io_, pool_);
        words.push_back(words_of(plan, placed.plan, is_in_range(numbers), pool_));
      }
      for (size_t v = 0; v < words.size(); ++v) words_[v].push_back(std::move(words[v]));
    } catch (const InputError& error) {
      if (!is_in_range(numbers)) return false;
      SimplerGraph simpler{
          numbers, {}, symbols_text(named_.symbols, numbers) + ": " + error.what()};
      for (const Node& node : graph.nodes) {
        for (const ValueId v : node.outputs) {
          if (v == kNoValue) continue;
          const Value& value = graph.values[v];
          simpler.values.emplace(value.name, SimplerGraph::Made{node.op, bounds(value.dims)});
        }
      }
      simpler_.push_back(std::move(simpler));
      return false;
    }
    samples_.push_back(numbers);
    return true;
  }

  // A state's dims are numbers, or symbols, which take what its output leaves.
  void check_states(const Schedule& plan, const SymbolicSchedule& symbolic) const {
    for (const GraphState& state : named_.graph.states) {
      const uint32_t input = plan.inputs[state.input];
      const std::vector<uint32_t>& words = symbolic.storages[input].shape;
      const std::vector<uint32_t>& taken =
          symbolic.storages[state.output == kNoIndex ? input : plan.outputs[state.output]].shape;
      const auto is_fixed = [](const std::vector<uint32_t>& of, size_t d) {
        return of.empty() || of[d] == kFixedWord;
      };
      bool grows = false, good = true;
      for (size_t d = 0; d < plan.storages[input].form.dims.size(); ++d) {
        if (is_fixed(words, d)) {
          good = good && is_fixed(taken, d);
          continue;
        }
        grows = true;
        good = good && symbolic.expressions[words[d]].kind ==
                           static_cast<uint32_t>(format::ExpressionKind::kSymbol);
      }
      const bool shared = !state.shared.empty();
      if (good && (!grows || (state.initial == nullptr && !shared))) continue;
      throw InputError("method " + printable(named_.method) + ": " + range_text() + ": state " +
                       quote(plan.storages[input].name) +
                       (!good ? " would have other dims than its output leaves it"
                        : shared
                            ? " is shared with other methods, so that its dims cannot differ"
                            : " begins with numbers of the model, so that its dims cannot differ") +
                       ": expected numbers, or a range of the very dim, for each of its dims");
    }
  }

  // Whether the steps for the most, where dims are as expressions say, compute the values that the
  // model has with these numbers.
  void check_dims(const Schedule& plan, const SymbolicSchedule& symbolic,
                  const SimplerGraph& simpler) const {
    std::vector<uint32_t> results;
    for (const format::ExpressionRecord& e : symbolic.expressions) {
      results.push_back(result_of(e, simpler.numbers.data(), results.data()));
    }
    // Names may be given to other values there: what another operator makes is not compared.
    std::vector<std::optional<Op>> made_by(plan.storages.size());
    for (const ScheduledStep& step : plan.steps) {
      for (const std::optional<Operand>& output : step.outputs) {
        if (output.has_value() && !step.is_view()) made_by[output->index] = step.op;
      }
    }
    for (size_t i = 0; i < plan.storages.size(); ++i) {
      const auto value = simpler.values.find(plan.storages[i].name);
      if (value == simpler.values.end() || made_by[i] != value->second.op) continue;
      std::vector<uint32_t> dims = plan.storages[i].form.dims;
      const std::vector<uint32_t>& words = symbolic.storages[i].shape;
      for (size_t d = 0; d < dims.size() && !words.empty(); ++d) {
        if (words[d] != kFixedWord) dims[d] = results[words[d]];
      }
      if (dims == value->second.dims) continue;
      throw InputError(
          "method " + printable(named_.method) + " has other steps with " + simpler.why +
          ", and value " + quote(plan.storages[i].name) + " would have dims " +
          dims_text(value->second.dims) + " for " + dims_text(dims) +
          "; sizes that differ so have methods of their own, as in --dim 'NAME=1|2..8'");
    }
  }

  // The expressions so far; the finder says whether they are sure.
  SymbolicSchedule symbolic(size_t v, ExpressionFinder& finder) const {
    const Schedule& plan = variants_[v].plan;
    const std::vector<std::vector<int64_t>>& rows = words_[v];
    std::set<std::pair<int64_t, ExpressionFinder::Results>> columns;  // the small ones first
    std::vector<ExpressionFinder::Results> by_word(rows[0].size());
    for (size_t w = 0; w < by_word.size(); ++w) {
      for (const auto& row : rows) by_word[w].push_back(row[w]);
      if (!is_fixed(by_word[w])) columns.emplace(by_word[w][0], by_word[w]);
    }
    for (const auto& [first, column] : columns) finder.find(column);
    std::vector<uint32_t> expressions(by_word.size(), kFixedWord);
    for (size_t w = 0; w < by_word.size(); ++w) {
      if (is_fixed(by_word[w])) continue;
      const std::optional<uint32_t> expression = finder.find(by_word[w]);
      if (!expression) {
        throw InputError(
            "method " + printable(named_.method) + ": " + range_text() + ": " + word_text(plan, w) +
            " follows from it in a way that is no sum, product or quotient; a few sizes "
            "can have methods of their own, as in --dim 'NAME=16|32|64'");
      }
      expressions[w] = *expression;
    }
    SymbolicSchedule result = symbolic_of(plan, expressions);
    result.expressions = finder.expressions();
    return result;
  }

  static bool is_fixed(const ExpressionFinder::Results& results) {
    return std::ranges::all_of(results, [&](int64_t r) {
      return r == results[0] || r == kAnyResult || results[0] == kAnyResult;
    });
  }

  const NamedGraph& named_;
  const std::span<const PlacedVariant> variants_;
  const bool caller_io_;
  ConstantPool& pool_;
  std::vector<SymbolNumbers> samples_;
  std::set<SymbolNumbers> known_;
  std::vector<std::vector<std::vector<int64_t>>> words_;  // by variant and sample
  std::vector<SimplerGraph> simpler_;
};

}  // namespace

std::vector<SymbolicSchedule> symbolic_schedules(const NamedGraph& named,
                                                 std::span<const PlacedVariant> variants,
                                                 bool caller_io, ConstantPool& pool) {
  if (named.symbols.empty()) return std::vector<SymbolicSchedule>(variants.size());
  return SymbolFollower(named, variants, caller_io, pool).run();
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
