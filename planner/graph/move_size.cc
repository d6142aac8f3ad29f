// Finds how many elements lie together on both sides of a move.
#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "ops/attributes.h"
#include "planner/graph/size_terms.h"

namespace arenite::planner {
namespace {

// Elements of dims `dims` that lie one behind another by both strides.
uint64_t run_of(const std::vector<uint32_t>& dims, const std::vector<uint32_t>& from,
                const std::vector<uint32_t>& to) {
  std::vector<bool> joined(dims.size(), false);
  uint64_t run = 1;
  for (size_t round = 0; round < dims.size(); ++round) {
    for (size_t d = 0; d < dims.size(); ++d) {
      if (joined[d] || dims[d] == 1 || from[d] != run || to[d] != run) continue;
      joined[d] = true;
      run *= dims[d];
      break;
    }
  }
  return run;
}

std::vector<uint32_t> strides_of(const OperandFacts& operand) {
  if (operand.strides.size() == operand.dims.size()) return operand.strides;
  std::vector<uint32_t> strides(operand.dims.size(), 1);
  for (size_t d = strides.size(); d-- > 1;) strides[d - 1] = strides[d] * operand.dims[d];
  return strides;
}

// Strides from one element that is taken to the next.
void take_steps(std::span<const uint32_t> attributes, std::vector<uint32_t>& from) {
  constexpr size_t kFirst = offsetof(SliceAttributes, step) / sizeof(int32_t);
  for (size_t d = 0; d < from.size() && kFirst + d < attributes.size(); ++d) {
    from[d] *= static_cast<uint32_t>(std::abs(static_cast<int32_t>(attributes[kFirst + d])));
  }
}

}  // namespace

double lines_apart(const OperandFacts& x, const OperandFacts& y) {
  constexpr uint32_t kShort = 4, kTimes = 4;
  const std::vector<uint32_t> from = strides_of(x), to = strides_of(y);
  std::vector<size_t> order;
  for (size_t d = 0; d < y.dims.size(); ++d) {
    if (y.dims[d] != 1) order.push_back(d);
  }
  if (order.empty() || from.size() != to.size()) return 1;
  std::ranges::stable_sort(order, [&](size_t a, size_t b) { return to[a] > to[b]; });
  const size_t inner = order.back();
  order.pop_back();
  uint32_t line = y.dims[inner];
  if (line <= kShort && !order.empty()) {
    const size_t longest =
        *std::ranges::max_element(order, [&](size_t a, size_t b) { return y.dims[a] < y.dims[b]; });
    if (y.dims[longest] >= kTimes * line && from[longest] < from[inner]) line = y.dims[longest];
  }
  return elements_in(y.dims) / line;
}

void add_move_terms(const StepFacts& step, StepSize& size) {
  const std::vector<uint32_t> to = strides_of(step.output);
  const bool joins = step.op == Op::kConcat;
  term(size, SizeTerm::kLine) = 0;
  for (const OperandFacts& x : step.inputs) {
    if (x.dims.size() != to.size()) continue;
    // Other moves may read fewer elements than x has.
    std::vector<uint32_t> dims = x.dims;
    for (size_t d = 0; d < dims.size(); ++d) dims[d] = std::min(dims[d], step.output.dims[d]);
    std::vector<uint32_t> from = strides_of(x);
    if (step.op == Op::kSlice) take_steps(step.attributes, from);
    const double elements = elements_in(dims);
    const uint64_t run = run_of(dims, from, to);
    if (run > 1 || elements <= 1) {
      term(size, SizeTerm::kLine) += elements / static_cast<double>(run);
    } else {
      term(size, SizeTerm::kLine) +=
          lines_apart({dims, from, x.element_bytes}, {dims, to, x.element_bytes});
      term(size, SizeTerm::kApart) += elements;
    }
    if (!joins) break;
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
