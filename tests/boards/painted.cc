// An image that loads and runs its model and tells how deep the stack below these calls was, by
// painting it.
#include <cstdint>

#include "boards/cortex_m/console.h"
#include "boards/cortex_m/memories.h"
#include "program.h"

extern "C" uint32_t __stack_top[];  // memory.ld

namespace {

program::Instance instance;

void fill_inputs() {
  uint32_t index = 0;
  for (const arenite::ModelTensor& tensor : program::kInputTable) {
    void* data = instance.input(index++);
    if (tensor.type == arenite::DType::kFloat32) {
      for (size_t i = 0; i < tensor.bytes / 4; ++i) {
        static_cast<float*>(data)[i] = static_cast<float>(i % 16) / 8 - 1;
      }
    } else {
      for (size_t i = 0; i < tensor.bytes; ++i) static_cast<uint8_t*>(data)[i] = i % 4;
    }
  }
}

// Prints what the call takes below this function.
template <typename Call>
[[gnu::noinline]] bool measured(const char* name, Call call) {
  arenite::board::stack_paint();
  const uint32_t* here;
  asm volatile("mov %0, sp" : "=r"(here));
  const bool good = call().ok();
  const auto above = static_cast<size_t>(__stack_top - here) * sizeof *here;
  arenite::board::write_text(name);
  arenite::board::write_decimal(arenite::board::stack_used_bytes() - above);
  arenite::board::write_text("\n");
  return good;
}

}  // namespace

extern "C" int image_main();
extern "C" int image_main() {
  if (!measured("load ", [] { return program::load(instance); })) return 1;
  fill_inputs();
  return measured("run ", [] { return instance.run(); }) ? 0 : 1;
}
// SPDX-License-Identifier: Apache-2.0
