// Gives each operator's operands the dims and strides that its steps have.
#include "planner/graph/operands.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "planner/graph/target_forms.h"

namespace arenite::planner {
namespace {

using Operand = std::optional<Strided>;

// The same as insert_ones, of what lies in blocks: the outputs' dim keeps the only stride.
void insert_in_blocks(Strided& form, size_t at, size_t rank) {
  const auto place = static_cast<std::ptrdiff_t>(at);
  const size_t missing = rank - form.dims.size();
  form.dims.insert(form.dims.begin() + place, missing, 1);
  form.strides.insert(form.strides.begin() + place, missing, 0);
}

// Puts a dimension of 1 before dimension `at` until the rank is `rank`.
void insert_ones(Operand& operand, size_t at, size_t rank) {
  if (!operand) return;
  if (in_blocks(operand->layout)) {
    insert_in_blocks(*operand, at, rank);
    return;
  }
  while (operand->dims.size() < rank) {
    const auto place = static_cast<std::ptrdiff_t>(at);
    // A dimension of 1 is never stepped over: its stride is that of the dimension it was split off.
    const bool last = at == operand->dims.size();
    const uint32_t stride = last ? 1 : operand->strides[at] * operand->dims[at];
    operand->dims.insert(operand->dims.begin() + place, 1);
    operand->strides.insert(operand->strides.begin() + place, stride);
  }
}

// Repeats the operand over `dims`, numpy's way: dims are matched from the end, a missing one or
// one of 1 gets stride 0.
void broadcast(Operand& operand, const std::vector<uint32_t>& dims) {
  if (!operand) return;
  if (operand->dims.size() > dims.size()) throw std::logic_error("broadcast to a lower rank");
  std::vector<uint32_t> strides(dims.size(), 0);
  const size_t missing = dims.size() - operand->dims.size();
  for (size_t i = 0; i < operand->dims.size(); ++i) {
    const bool repeats = operand->dims[i] == 1 && dims[missing + i] != 1;
    if (!repeats) strides[missing + i] = operand->strides[i];
  }
  operand->dims = dims;
  operand->strides = std::move(strides);
}

// Orders the dims of operands with the same dims by falling stride of the output, drops those of 1
// and joins neighbors that are one run in every operand, so that a kernel walks them in one loop.
void merge_dims(const std::vector<Strided*>& operands, const Strided& output) {
  const std::vector<uint32_t> dims = output.dims;
  std::vector<size_t> order;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] != 1) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return output.strides[a] > output.strides[b]; });
  // Runs of the order, outermost first; each is one dimension of the result.
  std::vector<std::vector<size_t>> runs;
  for (const size_t d : order) {
    const bool joins =
        !runs.empty() && std::all_of(operands.begin(), operands.end(), [&](const Strided* operand) {
          return operand->strides[runs.back().back()] ==
                 uint64_t{operand->strides[d]} * operand->dims[d];
        });
    if (joins) {
      runs.back().push_back(d);
    } else {
      runs.push_back({d});
    }
  }
  for (Strided* operand : operands) {
    std::vector<uint32_t> new_dims, strides;
    for (const std::vector<size_t>& run : runs) {
      uint32_t size = 1;
      for (const size_t d : run) size *= dims[d];
      new_dims.push_back(size);
      strides.push_back(operand->strides[run.back()]);
    }
    if (runs.empty()) {
      new_dims = {1};
      strides = {1};
    }
    operand->dims = std::move(new_dims);
    operand->strides = std::move(strides);
  }
}

// The first `count` inputs and the output of an elementwise operator.
void elementwise_operands(StepOperands& operands, size_t count) {
  std::vector<Strided*> merged;
  for (size_t i = 0; i < count && i < operands.inputs.size(); ++i) {
    broadcast(operands.inputs[i], operands.outputs[0]->dims);
    if (operands.inputs[i]) merged.push_back(&*operands.inputs[i]);
  }
  const Strided output = *operands.outputs[0];
  merged.push_back(&*operands.outputs[0]);
  merge_dims(merged, output);
}

// The first `count` inputs have rows and columns of their own.
void matrix_operands(StepOperands& operands, size_t count) {
  const std::vector<uint32_t>& y = operands.outputs[0]->dims;
  for (size_t i = 0; i < operands.inputs.size(); ++i) {
    Operand& operand = operands.inputs[i];
    if (!operand) continue;
    if (in_blocks(operand->layout)) {
      // One right side for all batches: its batch dims stay 1.
      insert_in_blocks(*operand, 0, y.size());
      continue;
    }
    std::vector<uint32_t> dims = y;
    if (i < count) {
      // Only the batch is repeated.
      std::copy(operand->dims.end() - 2, operand->dims.end(), dims.end() - 2);
    }
    broadcast(operand, dims);
  }
}

}  // namespace

std::vector<uint32_t> shape_words(const Strided& form) {
  std::vector<uint32_t> words = form.dims;
  words.insert(words.end(), form.strides.begin(), form.strides.end());
  return words;
}

void describe(format::ElementsRecord& record, DType dtype, const Strided& form) {
  record.dtype = static_cast<uint8_t>(dtype);
  record.rank = static_cast<uint8_t>(form.dims.size());
  record.layout = static_cast<uint8_t>(form.layout);
}

Strided row_major(const std::vector<uint32_t>& dims) {
  Strided result;
  result.dims = dims;
  result.strides.resize(dims.size());
  uint32_t stride = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    result.strides[i] = stride;
    stride *= dims[i];
  }
  return result;
}

StepOperands step_operands(Op op, const std::vector<std::optional<Strided>>& inputs,
                           const std::vector<std::optional<Strided>>& outputs) {
  StepOperands operands{inputs, outputs};
  const Contract& contract = contract_of(op);
  const LayoutRule& rule = contract.layout;
  switch (rule.kind) {
    case LayoutClass::kSpatial:
      if (rule.rank == 0) break;
      for (size_t i = 0; i < rule.operands; ++i) insert_ones(operands.inputs[i], 2, rule.rank);
      // A fourth input of what has an activation is a residual, with the output's dims.
      if (contract.activation_word != kNoActivation && operands.inputs.size() > kResidualInput) {
        insert_ones(operands.inputs[kResidualInput], 2, rule.rank);
      }
      for (Operand& output : operands.outputs) insert_ones(output, 2, rule.rank);
      break;
    case LayoutClass::kMatrix:
      matrix_operands(operands, rule.operands);
      break;
    case LayoutClass::kElementwise:
      elementwise_operands(operands, rule.operands);
      break;
    case LayoutClass::kFollows:
      for (size_t i = 1; i < rule.operands && i < operands.inputs.size(); ++i) {
        broadcast(operands.inputs[i], operands.outputs[0]->dims);
      }
      break;
    case LayoutClass::kRowMajor:
    case LayoutClass::kView:
    case LayoutClass::kViewOrFollows:
      break;
  }
  return operands;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
