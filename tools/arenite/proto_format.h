// ONNX's .pb tensors for the commands that link protobuf.
#pragma once

#include "tools/io/tensor.h"

namespace arenite::tools {

extern const ProtoFormat kProtoFormat;

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
