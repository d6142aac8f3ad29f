// Follows values from dequantize steps on and back from quantize steps; steps on both ways compute
// with floats.
#include "planner/program/integer_steps.h"

#include <algorithm>
#include <vector>

#include "core/contract.h"
#include "planner/graph/op_facts.h"

namespace arenite::planner {
namespace {

using format::StepRecord;

class Count {
 public:
  Count(const Program& program, const format::VariantRecord& variant)
      : program_(program),
        values_(program.values_of(variant)),
        steps_(program.steps_of(variant)),
        behind_(values_.size()),
        before_(values_.size()) {}

  QuantizedCounts run() {
    mark();
    QuantizedCounts counts;
    for (const StepRecord& step : steps_) {
      const Op op = op_of(step);
      if (!computes(step) || op == Op::kQuantize || op == Op::kDequantize) continue;
      if (facts_of(op).is_integer && !touches_floats(step)) {
        ++counts.integer_steps;
      } else if (any(inputs(step), behind_) && any(first_of(outputs(step)), before_)) {
        ++counts.float_steps;
      }
    }
    return counts;
  }

 private:
  using Words = std::span<const uint32_t>;

  static Op op_of(const StepRecord& step) { return static_cast<Op>(step.op); }
  static bool computes(const StepRecord& step) {
    const auto where = static_cast<format::Where>(step.where);
    return where != format::Where::kView && where != format::Where::kTransfer &&
           op_of(step) != Op::kCopy;
  }
  static Words first_of(Words words) { return words.first(words.empty() ? 0 : 1); }
  Words inputs(const StepRecord& step) const {
    return program_.operands().subspan(step.operand_first, step.input_count);
  }
  Words outputs(const StepRecord& step) const {
    return program_.operands().subspan(step.operand_first + step.input_count, step.output_count);
  }

  // A step that reads or writes a view meets the data of its root.
  uint32_t root(uint32_t value) const { return format::root_of(values_.data(), value); }
  bool any(Words words, const std::vector<bool>& marked) const {
    return std::any_of(words.begin(), words.end(),
                       [&](uint32_t word) { return word < values_.size() && marked[root(word)]; });
  }
  void mark(Words words, std::vector<bool>& marked) const {
    for (const uint32_t word : words) {
      if (word < values_.size()) marked[root(word)] = true;
    }
  }

  void mark() {
    for (const StepRecord& step : steps_) {
      const Words in = inputs(step);
      const bool starts = op_of(step) == Op::kDequantize && !in.empty() && in[0] < values_.size();
      if (starts || (op_of(step) != Op::kQuantize && any(in, behind_))) {
        mark(outputs(step), behind_);
      }
    }
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
      if (op_of(*step) == Op::kQuantize) {
        mark(first_of(inputs(*step)), before_);
      } else if (op_of(*step) != Op::kDequantize && any(outputs(*step), before_)) {
        mark(inputs(*step), before_);
      }
    }
  }

  bool touches_floats(const StepRecord& step) const {
    const auto is_float = [&](uint32_t word) {
      if (word == kNoIndex) return false;
      const format::ElementsRecord& record =
          format::is_constant(word) ? static_cast<const format::ElementsRecord&>(
                                          program_.constants()[format::constant_index(word)])
                                    : values_[word];
      return has(types::kFloat, static_cast<DType>(record.dtype));
    };
    const Words in = inputs(step), out = outputs(step);
    return std::any_of(in.begin(), in.end(), is_float) ||
           std::any_of(out.begin(), out.end(), is_float);
  }

  const Program& program_;
  std::span<const format::ValueRecord> values_;
  std::span<const StepRecord> steps_;
  std::vector<bool> behind_, before_;  // by root
};

}  // namespace

std::optional<QuantizedCounts> count_quantized(const Program& program,
                                               const format::VariantRecord& variant) {
  const QuantizedCounts counts = Count(program, variant).run();
  if (counts.integer_steps == 0 && counts.float_steps == 0) return std::nullopt;
  return counts;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
