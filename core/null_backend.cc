// A backend that runs nothing: what a variant with device steps meets where there is no device.
#include "core/backend.h"

namespace arenite {

Backend null_backend() {
  Backend backend;
  backend.attach = [](void*, const BackendTask&, std::span<std::byte*>) {
    return error(Code::kUnsupported);
  };
  backend.run = [](void*, uint32_t, uint32_t) { return error(Code::kUnsupported); };
  backend.detach = [](void*) {};
  return backend;
}

uint32_t device_stretch_end(std::span<const format::StepRecord> steps, uint32_t first) {
  uint32_t end = first;
  for (uint32_t i = first; i < steps.size(); ++i) {
    const auto where = static_cast<format::Where>(steps[i].where);
    if (where == format::Where::kCpu) {
      break;
    }
    if (where != format::Where::kView) {
      end = i + 1;
    }
  }
  return end;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
