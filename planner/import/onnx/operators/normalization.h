// Functions that the normalizations of ONNX and of com.microsoft share.
#pragma once

#include "planner/import/onnx/operators/steps.h"

namespace arenite::planner {

// Adds the outputs that are the mean (of kDeviation) and 1 / norm of what `attributes` says of x,
// where they are wanted; always float32.
void add_statistics(OpContext& context, ValueId x, const NormalizeAttributes& attributes,
                    size_t mean_output, size_t inverse_output);

// Channels normalized in groups, each over its channels and all pixels of an image.
struct Groups {
  ValueId x = kNoValue;
  ValueId scale = kNoValue, bias = kNoValue;  // vectors, one a channel or one a group
  int64_t count = 1;
  const char* name = "groups";  // of the attribute that counts them
  float epsilon = 1e-5f;
  bool channels_last = false;  // [N, ..., C] instead of [N, C, ...]
};
ValueId add_groups(OpContext& context, const Groups& groups);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
