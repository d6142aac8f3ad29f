// Supported operators of ONNX and TensorFlow Lite: what they become, and the element types that
// CPUs and GPUs take. The answers come from the tables of importing, contracts and dispatching.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/contract.h"
#include "planner/import/onnx/refusal.h"

namespace arenite::planner {

struct OpSupport {
  std::string name;          // the model's
  std::vector<Op> becomes;   // operators of programs; none: known while planning
  TypeSet cpu = 0, gpu = 0;  // that the first of those takes, which does what it is about
  std::string note;          // of what a GPU leaves to the CPU, and why; "" where there is nothing
};

// ONNX's, in the order of names.
std::vector<OpSupport> supported_ops();

// An operator of TensorFlow Lite, by the ONNX operator that does its main work; `becomes` is one
// operator of that.
struct TfliteSupport {
  std::string said;  // ONNX's name; "" of one that ONNX has no word for
  OpSupport support;
};
// In the order of their numbers, custom ones last.
std::vector<TfliteSupport> supported_tflite_ops();
std::vector<RefusedOp> refused_tflite_ops();

// Support of something that becomes these operators of programs; the first one does the main work.
OpSupport support_of(const std::string& name, std::vector<Op> becomes);

// The element types of T for which shaders do an operator of programs.
TypeSet gpu_types(Op op);

// "float32, int32", "any", "numbers", "-".
std::string types_text(TypeSet types);

// "conv, add", "-".
std::string names_text(const std::vector<Op>& ops);

// The tables as docs/ops.md has them.
std::string ops_markdown();
// The part about TensorFlow Lite's operators.
std::string tflite_ops_markdown();

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
