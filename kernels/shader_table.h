// The compiled shaders: SPIR-V by shader number, constant data only.
#pragma once

#include <cstdint>
#include <span>

namespace arenite {

struct ShaderCode {
  const uint32_t* words;  // SPIR-V; null where it is not linked (ARENITE_SHADERS)
  uint32_t word_count;
  uint32_t hash;        // CRC-32 of the words: names this code in logs and caches
  uint32_t buffers;     // storage buffers: bindings 0 .. buffers - 1 of set 0
  uint32_t push_words;  // 32-bit words of its push constants
  uint32_t
      parameter_words;  // of its parameter block, the uniform buffer behind the storage buffers
  uint32_t uniforms;    // uniform buffers behind the parameter block, each of an operand
  const char* name;     // as in kernels/shaders.def
};

// All shaders, indexed by Shader (kernels/dispatch/command.h).
std::span<const ShaderCode> all_shaders();

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
