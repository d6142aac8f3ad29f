// Breaks no rule of device code: the check must pass it.
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace clean {

using Step = int (*)(int);

int twice(int x) { return 2 * x; }
int64_t quotient(int64_t a, int64_t b) { return a / b; }
void copy(void* to, const void* from, size_t bytes) { std::memcpy(to, from, bytes); }

extern const Step steps[];
const Step steps[] = {twice};

}  // namespace clean
// SPDX-License-Identifier: Apache-2.0
