// Writes a program as C++ source for an application: a header, the bytes, the forms it needs, its
// arenas.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "planner/board/board.h"

namespace arenite::planner {

enum class CcData {
  kArray,   // words in the source: any compiler takes them
  kIncbin,  // the assembler reads NAME.arn beside the source, which compilers for ELF do at once
};

struct CcOptions {
  std::string name;  // of the namespace and the files: an identifier
  CcData data = CcData::kArray;
  const Board* board = nullptr;  // its addresses, for the linker to check; null: not known
};

// Files to be stored as NAME.h, NAME.cc, NAME.ld and NAME.sources, with kIncbin also the program
// itself as NAME.arn; for applications in C, NAME_c.h and NAME_c.cc beside them. The header needs
// include/ and C++17, that for C include/ and C99; the source is compiled with the
// runtime's own root as include folder and the rules of device code. Arenas lie in sections
// ".bss.arenite.NAME.MEMORY", the program in ".rodata.arenite.NAME", each dropped by the linker
// where unused. On a bare machine an arena has to be placed by the linker script's fragment; with
// ARENITE_ARENAS_PLACED defined it may lie wherever .bss does.
struct CcSource {
  std::string header, source, linker_script, c_header, c_source;
  // The files of the runtime's kernels and contracts that the source needs, one path from the
  // runtime's root a line; core/, schema/ and nanopb are not among them.
  std::string runtime_sources;
};

// `file` is a program planned or stripped for one board; of each method the last variant, which
// runs on the CPU, is taken. Throws InputError when the file is no program, holds several boards,
// or the name is none.
CcSource cc_source(std::span<const std::byte> file, const CcOptions& options);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
