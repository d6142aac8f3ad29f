// Multiplies the dims in 64 bits and refuses ranks, dims and products beyond the limits.
#include "planner/graph/tensor_bytes.h"

#include <limits>
#include <string>

#include "planner/graph/graph.h"
#include "planner/graph/names.h"

namespace arenite::planner {

uint64_t checked_bytes(DType dtype, const Dims& dims) {
  if (dims.size() > kMaxRank) {
    throw InputError("rank " + std::to_string(dims.size()) + " is above " +
                     std::to_string(kMaxRank));
  }
  bool empty = false;
  uint64_t bytes = element_bytes(dtype);
  for (const Dim& each : dims) {
    const int64_t dim = bound(each);
    if (dim < 0 || dim > int64_t{std::numeric_limits<int32_t>::max()}) {
      throw InputError("dims " + dims_text(dims) + " hold " + std::to_string(dim) +
                       ", expected 0 to 2147483647");
    }
    empty = empty || dim == 0;
  }
  if (empty) return 0;
  for (const Dim& dim : dims) {
    bytes *= static_cast<uint64_t>(bound(dim));
    if (bytes > kMaxTensorBytes) {
      throw InputError("dims " + dims_text(dims) + " of " + dtype_name(dtype) +
                       " need more than 2 GiB");
    }
  }
  return bytes;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
