// What is supported where: ONNX's operators, what they become, and the element types that CPUs and
// GPUs take; from the tables that importing, contracts and dispatching go by.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/contract.h"

namespace arenite::planner {

struct OpSupport {
  std::string name;          // ONNX's
  std::vector<Op> becomes;   // operators of programs; none: known while planning, or a mere view
  TypeSet cpu = 0, gpu = 0;  // that the first of those takes, which does what it is about
  std::string note;          // of what a GPU leaves to the CPU, and why; "" where there is nothing
};

// In the order of names.
std::vector<OpSupport> supported_ops();

struct RefusedOp {
  std::string name, why, instead;
};
// Operators of ONNX that are refused by name.
std::vector<RefusedOp> refused_ops();

// The element types of T for which shaders do an operator of programs.
TypeSet gpu_types(Op op);

// "float32, int32", "any", "numbers", "-".
std::string types_text(TypeSet types);

// The tables as docs/ops.md has them.
std::string ops_markdown();

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
