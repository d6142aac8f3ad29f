// Draws an operator, one of its cases, and where each operand comes from.
#include "tests/planner/plan/case_graph.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "core/contract.h"
#include "planner/graph/target_forms.h"
#include "tests/ops/cases.h"

namespace arenite::test {
namespace {

using ops_test::Numbers;
using ops_test::OpCase;
using ops_test::Operand;

constexpr uint64_t kElementsMax = 20000;  // of an operand, so that a graph takes milliseconds

// Weights in panels are what the planner makes of plain ones.
bool is_plain(const Operand& operand) {
  return operand.absent ||
         (operand.layout == Layout::kStrided && ops_test::count_of(operand.dims) <= kElementsMax);
}

// For each operator: the cases that a model could hold.
const std::map<Op, std::vector<const OpCase*>>& cases_by_op() {
  static const auto* const cases = [] {
    auto* by_op = new std::map<Op, std::vector<const OpCase*>>;
    for (const OpCase& c : ops_test::all_cases()) {
      if (std::all_of(c.inputs.begin(), c.inputs.end(), is_plain) &&
          std::all_of(c.outputs.begin(), c.outputs.end(), is_plain)) {
        (*by_op)[c.op].push_back(&c);
      }
    }
    return by_op;
  }();
  return *cases;
}

// Any float does: the case asks for no place, length or sign.
bool takes_any_float(const Operand& operand) {
  return operand.dtype == DType::kFloat32 && operand.values.empty() && operand.specials.empty() &&
         operand.repeated == 0 && operand.low < 0 && operand.high > 0;
}

// Operands that a graph repeats over its dims have dims of 1 there; all others have every element.
bool repeats_operands(Op op) {
  const LayoutClass kind = planner::contract_of(op).layout.kind;
  return kind == LayoutClass::kElementwise || kind == LayoutClass::kMatrix;
}

Numbers unrepeated(const Numbers& whole, uint32_t repeated) {
  Numbers numbers = {whole.dtype, whole.dims, {}};
  for (uint32_t d = 0; d < numbers.dims.size(); ++d) {
    if ((repeated >> d & 1u) != 0) numbers.dims[d] = std::min(numbers.dims[d], 1u);
  }
  for (uint64_t i = 0; i < ops_test::count_of(numbers.dims); ++i) {
    const uint64_t at = ops_test::position_of(whole.dims, ops_test::index_of(numbers.dims, i));
    numbers.values.push_back(whole.values[at]);
  }
  return numbers;
}

class Drawn {
 public:
  explicit Drawn(uint32_t seed) : random_(seed), seed_(seed) {}

  CaseGraph alone(const OpCase& c) {
    std::vector<ValueId> operands;
    for (uint32_t i = 0; i < c.inputs.size(); ++i) {
      operands.push_back(c.inputs[i].absent ? kNoValue : stored(c, i, false));
    }
    for (const ValueId v : add_node(c, std::move(operands))) {
      if (v != kNoValue) builder_.output(v);
    }
    return {builder_.graph(), inputs_};
  }

  CaseGraph run() {
    const uint32_t cases = number(1, 5);
    const auto ops = static_cast<uint32_t>(cases_by_op().size());
    // Operators take turns, so that few graphs have all of them.
    add_case(seed_ % ops);
    for (uint32_t i = 1; i < cases; ++i) add_case(number(0, ops - 1));
    Graph& graph = builder_.graph();
    for (const ValueId v : computed_) {
      if (number(0, 2) == 0) builder_.output(v);
    }
    if (graph.outputs.empty()) builder_.output(computed_.back());
    return {builder_.graph(), inputs_};
  }

 private:
  uint32_t number(uint32_t least, uint32_t most) {
    return std::uniform_int_distribution<uint32_t>(least, most)(random_);
  }

  void add_case(uint32_t nth_op) {
    auto op = cases_by_op().begin();
    std::advance(op, nth_op);
    const std::vector<const OpCase*>& cases = op->second;
    const OpCase& c = *cases[number(0, static_cast<uint32_t>(cases.size()) - 1)];
    std::vector<ValueId> operands;
    for (uint32_t i = 0; i < c.inputs.size(); ++i) operands.push_back(operand(c, i));
    for (const ValueId v : add_node(c, std::move(operands))) {
      if (v == kNoValue) continue;
      computed_.push_back(v);
      if (number(0, 1) == 0) move(v);
    }
  }

  std::vector<ValueId> add_node(const OpCase& c, std::vector<ValueId> operands) {
    std::vector<ValueId> results;
    for (const Operand& output : c.outputs) {
      results.push_back(output.absent ? kNoValue : builder_.value(output.dims, output.dtype));
    }
    planner::Node node;
    node.op = c.op;
    node.inputs = std::move(operands);
    node.outputs = results;
    node.attributes = c.attributes;
    node.sources = {std::string(ops_test::op_name(c.op)) + "_" + c.name + "_" +
                    std::to_string(builder_.graph().nodes.size())};
    builder_.graph().nodes.push_back(std::move(node));
    return results;
  }

  ValueId operand(const OpCase& c, uint32_t i) {
    const Operand& wanted = c.inputs[i];
    if (wanted.absent) return kNoValue;
    if (takes_any_float(wanted) && number(0, 2) != 0) {
      for (size_t v = computed_.size(); v-- > 0;) {
        const planner::Value& value = builder_.graph().values[computed_[v]];
        if (value.dtype != DType::kFloat32 || value.elements() != ops_test::count_of(wanted.dims)) {
          continue;
        }
        return always(value.dims == wanted.dims) ? computed_[v]
                                                 : builder_.reshape(computed_[v], wanted.dims);
      }
    }
    return stored(c, i, number(0, 1) == 0);
  }

  // The case's contents for the operand, as a constant or an input.
  ValueId stored(const OpCase& c, uint32_t i, bool constant) {
    const Operand& wanted = c.inputs[i];
    const Numbers contents =
        unrepeated(ops_test::contents_of(c, i), repeats_operands(c.op) ? wanted.repeated : 0);
    const size_t each = element_bytes(wanted.dtype);
    std::vector<std::byte> bytes(contents.values.size() * each);
    for (size_t k = 0; k < contents.values.size(); ++k) {
      ops_test::encode(wanted.dtype, contents.values[k], bytes.data() + k * each);
    }
    if (constant) {
      return builder_.constant_bytes(contents.dims, wanted.dtype, std::move(bytes));
    }
    inputs_.push_back(std::move(bytes));
    return builder_.input(contents.dims, wanted.dtype);
  }

  // Adds a node that passes look for around other nodes.
  void move(ValueId v) {
    const Dims dims = builder_.dims(v);
    std::vector<uint32_t> permutation(dims.size());
    switch (number(0, 3)) {
      case 0:
        std::iota(permutation.begin(), permutation.end(), 0u);
        std::shuffle(permutation.begin(), permutation.end(), random_);
        computed_.push_back(builder_.transpose(v, permutation));
        return;
      case 1:
        if (dims.empty()) return;
        computed_.push_back(
            builder_.concat({v, v}, number(0, static_cast<uint32_t>(dims.size()) - 1)));
        return;
      case 2:
        if (builder_.graph().values[v].dtype != DType::kFloat32) return;
        computed_.push_back(builder_.clip(v, -0.5f, 6.0f));
        return;
      default:
        computed_.push_back(
            builder_.reshape(v, {static_cast<uint32_t>(builder_.graph().values[v].elements())}));
    }
  }

  std::mt19937 random_;
  const uint32_t seed_;
  GraphBuilder builder_;
  std::vector<std::vector<std::byte>> inputs_;
  std::vector<ValueId> computed_;
};

}  // namespace

CaseGraph case_graph(const OpCase& c) { return Drawn(1).alone(c); }

CaseGraph random_case_graph(uint32_t seed) { return Drawn(seed).run(); }

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
