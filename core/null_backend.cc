// A backend that runs nothing: what a variant with device steps meets where there is no device.
#include "core/backend.h"

namespace arenite {

Backend null_backend() {
  Backend backend;
  backend.attach = [](void*, const BackendTask&, std::span<std::byte*>) {
    return error(Code::kUnsupported);
  };
  backend.run = [](void*, std::span<const StepRange>) { return error(Code::kUnsupported); };
  backend.detach = [](void*) {};
  backend.resize = [](void*) { return error(Code::kUnsupported); };
  return backend;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
