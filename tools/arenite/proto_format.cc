// Hands .pb files to the importer's TensorProto reader.
#include "tools/arenite/proto_format.h"

#include "planner/import/model/tensor_proto.h"

namespace arenite::tools {
namespace {

HostTensor parse(std::span<const std::byte> file, const std::string& name) {
  try {
    planner::TensorData data = planner::parse_tensor(file).data;
    return {data.dtype, std::move(data.dims), std::move(data.bytes)};
  } catch (const std::runtime_error& error) {
    throw InputError(name + ": " + error.what());
  }
}

std::vector<std::byte> serialize(std::string_view tensor_name, const HostTensor& tensor) {
  return planner::serialize_tensor(tensor_name, {tensor.dtype, tensor.dims, tensor.bytes});
}

}  // namespace

const ProtoFormat kProtoFormat = {parse, serialize};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
