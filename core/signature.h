// Lets the user's own code decide whether a program is genuine: by which method and key is its
// matter.
#pragma once

#include <cstddef>
#include <span>

#include "core/program.h"

namespace arenite {

// Tells whether `signature` is one of `signed_bytes`.
struct SignatureHook {
  void* context = nullptr;
  bool (*check)(void* context, std::span<const std::byte> signed_bytes,
                std::span<const std::byte> signature) = nullptr;
};

// Asks the hook about an opened program: the signature is its last section, and covers every byte
// of the file before it; constants in a file of their own are not covered. Errors: kBadSignature
// (there is none, it is not last, or the hook says no), kTruncated (opened from a part of the
// file).
Status check_signature(const Program& program, const SignatureHook& hook);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
