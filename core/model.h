// Loads the model of an image into the instance that users see (include/arenite/model.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/instance.h"
#include "include/arenite/model.h"

namespace arenite {

// Raised whenever generated source and the runtime it compiles against have to change together.
inline constexpr uint32_t kModelSourceVersion = 7;

// Opens the program, which lies at a multiple of 64, and loads it, with all proofs. An instance
// that holds something is loaded anew. The memory is given apart, so that the options may be
// constant. `interface` is the digest (core/interface.h) of the method that the caller's header
// describes. Errors: those of Program::open and Instance::load, and kWrongInterface; the instance
// is then empty.
Status load_model(ModelInstance& model, std::span<const std::byte> program,
                  const LoadOptions& options, const LoadMemory& memory, uint32_t interface);
inline Status load_model(ModelInstance& model, std::span<const std::byte> program,
                         const LoadOptions& options, uint32_t interface) {
  return load_model(model, program, options, options, interface);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
