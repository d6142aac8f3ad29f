// Prints the tables by which operators are imported, checked and dispatched.
#include "planner/report/op_support.h"

#include <algorithm>
#include <string_view>

#include "kernels/dispatch/rules.h"
#include "ops/contracts.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/refusal.h"

namespace arenite::planner {
namespace {

std::string_view note_of(Op op) {
  switch (op) {
#define ARENITE_LEFT_TO_CPU(Type, words) \
  case Op::k##Type:                      \
    return words;
#include "kernels/dispatch/left_to_cpu.def"
    default:
      return "";
  }
}

}  // namespace

std::string names_text(const std::vector<Op>& ops) {
  std::string text;
  for (const Op op : ops) text += (text.empty() ? "" : ", ") + op_name(op);
  return text.empty() ? "-" : text;
}

TypeSet gpu_types(Op op) {
  const Contract& contract = *find_contract(op);
  if (contract.layout.kind == LayoutClass::kView) return contract.types;
  TypeSet types = 0;
  for (const DispatchRow& row : rows_of(op)) types |= row.types;
  return types & contract.types;
}

std::string types_text(TypeSet types) {
  if (types == 0) return "-";
  if (types == types::kAny) return "any";
  if (types == types::kAnyNumber) return "numbers";
  std::string text;
  for (uint32_t i = 0; i < 32; ++i) {
    if ((types >> i & 1u) == 0) continue;
    text += (text.empty() ? "" : ", ") + dtype_name(static_cast<DType>(i));
  }
  return text;
}

OpSupport support_of(const std::string& name, std::vector<Op> becomes) {
  OpSupport support;
  support.name = name;
  support.becomes = std::move(becomes);
  if (support.becomes.empty()) {
    support.cpu = support.gpu = types::kAny;
    support.note = "known while planning";
    return support;
  }
  support.cpu = find_contract(support.becomes[0])->types;
  support.gpu = gpu_types(support.becomes[0]);
  support.note = note_of(support.becomes[0]);
  return support;
}

std::vector<OpSupport> supported_ops() {
  std::vector<OpSupport> all;
  for (const std::string_view domain : {"", "com.microsoft"}) {
    for (const ImportRow& row : import_rows(domain)) {
      const std::string prefix = domain.empty() ? "" : std::string(domain) + ".";
      OpSupport support = support_of(prefix + std::string(row.op_type), row.becomes);
      if (row.importer == nullptr)
        support.note =
            row.op_type == "If" ? "a branch, or both and a choice" : "its body, once a trip";
      all.push_back(std::move(support));
    }
  }
  std::sort(all.begin(), all.end(),
            [](const OpSupport& a, const OpSupport& b) { return a.name < b.name; });
  return all;
}

std::string ops_markdown() {
  std::string text =
      "# Operators\n\n"
      "What is supported where. Made by `arenite ops --markdown`; `arenite ops MODEL` says it of a "
      "model's operators.\n\n"
      "*Becomes* names the operators of a program that it may become, the one that does its work "
      "first (`-`: nothing runs, it is known while planning).\n"
      "Views, copies and casts between them are left out. *CPU* and *GPU* are the element types "
      "that "
      "the first of them takes: *numbers* are all but bool.\n"
      "What a GPU does not take runs on the CPU, where the plan allows both.\n\n"
      "| ONNX | Becomes | CPU | GPU | |\n| --- | --- | --- | --- | --- |\n";
  for (const OpSupport& op : supported_ops()) {
    text += "| " + op.name + " | " + names_text(op.becomes) + " | " + types_text(op.cpu) + " | " +
            types_text(op.gpu) + " | " + op.note + " |\n";
  }
  text += "\n## Refused by name\n\n| ONNX | Why | Instead |\n| --- | --- | --- |\n";
  for (const RefusedOp& op : refused_ops()) {
    text += "| " + op.name + " | " + op.why + " | " + op.instead + " |\n";
  }
  return text + tflite_ops_markdown();
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
