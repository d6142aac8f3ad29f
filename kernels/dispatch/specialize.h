// Writes the numbers of specialization constants, and what is computed from them, into SPIR-V, for
// drivers that compile what they switch off.
#pragma once

#include <cstdint>
#include <span>

namespace arenite {

// Whether a vendor's driver drops code behind specialization constants before it compiles.
// SwiftShader does not: a shader with six ways to read its operands becomes machine code of all
// six, which took it minutes and gigabytes for what takes half a second and 50 MB with numbers in.
bool drops_dead_code(uint32_t vendor_id);

// Copies a module without its specialization constants: where constant i was, spec[i] is, and the
// default where spec ends before. `written` has room for all of `words`; the result is the number
// of words that were written, never more. `words` are a valid module whose specialization constants
// have 32 bits and numbers below kMaxSpecWords, as all of our shaders.
uint32_t write_specialized(std::span<const uint32_t> words, std::span<const uint32_t> spec,
                           uint32_t* written);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
