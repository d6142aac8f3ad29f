// Writes a program as C++ source for firmware: the bytes, the kernels it needs, its arenas and io.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace arenite::planner {

// Files to be stored as program.h and program.cc. They compile with the rules of device code, need
// core/ and portable_fallback/ only, and define in namespace arenite_program:
//   kKernelTable          constexpr: the kernels that the program's steps name, no other
//   kMethods              constexpr: name, index, the variant to load, arenas, inputs, outputs
//   program()             the file, 64-aligned, in section ".program"
//   arena_<memory>        one array for each memory, as large as the largest method needs it, in
//                         section ".bss.arena.<memory>"; dropped by the linker where unused
struct CcSource {
  std::string header, source;
};

// `file` is a program planned or stripped for one board; of each method the last variant, which
// runs on the CPU, is named. Throws InputError when the file is no program or holds several boards.
CcSource cc_source(std::span<const std::byte> file);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
