// The four functions that compilers call for copies and comparisons, where no C library has them.
#include <cstddef>

extern "C" {
void* memcpy(void* to, const void* from, size_t bytes);
void* memmove(void* to, const void* from, size_t bytes);
void* memset(void* to, int value, size_t bytes);
int memcmp(const void* first, const void* second, size_t bytes);
}

namespace {

using Byte = unsigned char;

using Word [[gnu::may_alias]] = size_t;

// Copies from the first byte on, words where both sides start on one.
void copy_up(void* to, const void* from, size_t bytes) {
  const size_t places = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from);
  size_t words = places % sizeof(Word) == 0 ? bytes / sizeof(Word) : 0;
  auto* word_to = static_cast<Word*>(to);
  const auto* word_from = static_cast<const Word*>(from);
  bytes -= words * sizeof(Word);
  for (; words > 0; --words) *word_to++ = *word_from++;
  auto* byte_to = reinterpret_cast<Byte*>(word_to);
  const auto* byte_from = reinterpret_cast<const Byte*>(word_from);
  for (; bytes > 0; --bytes) *byte_to++ = *byte_from++;
}

}  // namespace

void* memcpy(void* to, const void* from, size_t bytes) {
  copy_up(to, from, bytes);
  return to;
}

void* memmove(void* to, const void* from, size_t bytes) {
  auto* target = static_cast<Byte*>(to);
  const auto* source = static_cast<const Byte*>(from);
  if (target <= source || target >= source + bytes) {
    copy_up(target, source, bytes);
  } else {
    for (size_t i = bytes; i > 0; --i) target[i - 1] = source[i - 1];
  }
  return to;
}

void* memset(void* to, int value, size_t bytes) {
  auto* target = static_cast<Byte*>(to);
  for (size_t i = 0; i < bytes; ++i) target[i] = static_cast<Byte>(value);
  return to;
}

int memcmp(const void* first, const void* second, size_t bytes) {
  const auto *a = static_cast<const Byte*>(first), *b = static_cast<const Byte*>(second);
  for (size_t i = 0; i < bytes; ++i) {
    if (a[i] != b[i]) return a[i] - b[i];
  }
  return 0;
}
// SPDX-License-Identifier: Apache-2.0
