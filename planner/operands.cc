// Gives each operator's operands the dims, strides and attributes that its kernel takes.
#include "planner/operands.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace arenite::planner {
namespace {

using Operand = std::optional<Strided>;

// Puts a dimension of 1 before dimension `at` until the rank is `rank`.
void insert_ones(Operand& operand, size_t at, size_t rank) {
  if (!operand) return;
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
// and joins neighbours that are one run in every operand: what a kernel walks in one loop.
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
void elementwise_form(RuntimeForm& form, size_t count) {
  std::vector<Strided*> operands;
  for (size_t i = 0; i < count && i < form.inputs.size(); ++i) {
    broadcast(form.inputs[i], form.outputs[0]->dims);
    if (form.inputs[i]) operands.push_back(&*form.inputs[i]);
  }
  const Strided output = *form.outputs[0];
  operands.push_back(&*form.outputs[0]);
  merge_dims(operands, output);
}

void matmul_form(RuntimeForm& form) {
  const std::vector<uint32_t>& y = form.outputs[0]->dims;
  for (size_t i = 0; i < form.inputs.size(); ++i) {
    Operand& operand = form.inputs[i];
    if (!operand) continue;
    if (operand->layout == Layout::kPanel16) {
      // One right side for all batches: its batch dims stay 1.
      operand->dims.insert(operand->dims.begin(), y.size() - operand->dims.size(), 1);
      operand->strides.assign(operand->dims.size(), 0);
      continue;
    }
    std::vector<uint32_t> dims = y;
    if (i < 2) {
      // Rows and columns are the operand's own; only the batch is repeated.
      std::copy(operand->dims.end() - 2, operand->dims.end(), dims.end() - 2);
    }
    broadcast(operand, dims);
  }
}

}  // namespace

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

RuntimeForm runtime_form(const Node& node, const std::vector<std::optional<Strided>>& inputs,
                         const std::vector<std::optional<Strided>>& outputs) {
  RuntimeForm form{inputs, outputs, node.attributes};
  switch (node.op) {
    case Op::kConv:
      insert_ones(form.inputs[0], 2, 4);
      if (form.inputs[1]->layout == Layout::kPanel16) {
        const size_t missing = 4 - form.inputs[1]->dims.size();
        form.inputs[1]->dims.insert(form.inputs[1]->dims.begin() + 2, missing, 1);
        form.inputs[1]->strides.assign(4, 0);
      } else {
        insert_ones(form.inputs[1], 2, 4);
      }
      insert_ones(form.outputs[0], 2, 4);
      break;
    case Op::kMaxPool:
    case Op::kAveragePool:
      insert_ones(form.inputs[0], 2, 5);
      for (Operand& output : form.outputs) insert_ones(output, 2, 5);
      break;
    case Op::kMatMul:
      matmul_form(form);
      break;
    case Op::kAdd:
    case Op::kMul:
    case Op::kDiv:
      elementwise_form(form, 2);
      break;
    case Op::kClip:
    case Op::kSigmoid:
    case Op::kHardSigmoid:
    case Op::kCast:
    case Op::kCopy:
      elementwise_form(form, 1);
      break;
    case Op::kSoftmax:
    case Op::kConcat:
    case Op::kPad:
    case Op::kReduceMean:
    case Op::kSlice:
    case Op::kGather:
    case Op::kBatchNormalization:
    case Op::kReshape:
    case Op::kTranspose:
      break;
  }
  return form;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
