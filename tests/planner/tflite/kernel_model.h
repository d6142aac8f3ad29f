// Models of one quantised operator and the integers that TensorFlow Lite's kernels make of theirs.
#pragma once

#include <string>
#include <vector>

#include "tests/planner/tflite/tflite_builder.h"

namespace arenite::planner {

struct KernelOperand {
  tfl::TensorType type;
  std::vector<int32_t> dims;
  TfliteBuilder::Scales scales;  // without a scale: numbers as they are
  std::vector<int64_t> elements;
  bool constant = false;
};

struct KernelModel {
  const char* name;
  int32_t code;
  tfl::BuiltinOptions type;
  TfliteBuilder::Options options;
  std::vector<KernelOperand> inputs;
  KernelOperand result;
};

inline constexpr auto kNone = tfl::ActivationFunctionType_NONE;

// Expects the result's elements of the planned model, and no step of floats in it.
void expect_kernel(const KernelModel& model);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
