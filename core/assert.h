// Invariants: what must hold whatever the input, checked where somebody listens.
#pragma once

// ARENITE_ASSERT(condition) says what the code around it relies on. Bad input is never an assert:
// it is a status or an InputError.
//
//   firmware that defines ARENITE_ASSERT_HOOK, the name of a C function: the hook is called with
//                  the place; it may log, reset or return
//   builds with AddressSanitizer or ThreadSanitizer: abort
//   all others:    nothing; the condition is compiled, not evaluated
#if defined(ARENITE_ASSERT_HOOK)
extern "C" void ARENITE_ASSERT_HOOK(const char* file, int line);
#define ARENITE_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ARENITE_ASSERT_HOOK(__FILE__, __LINE__))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ARENITE_ASSERT(condition) ((condition) ? static_cast<void>(0) : __builtin_abort())
#else
#define ARENITE_ASSERT(condition) static_cast<void>(sizeof(!(condition)))
#endif
// SPDX-License-Identifier: Apache-2.0
