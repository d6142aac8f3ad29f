// The error text of reading a tensor.
#pragma once

#include <string>

#include "onnx.pb.h"
#include "planner/graph/graph.h"
#include "planner/import/model/tensor_proto.h"

namespace arenite::planner {

inline std::string decode_error(const onnx::TensorProto& proto) {
  try {
    decode_tensor(proto);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
