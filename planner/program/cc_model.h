// The parts of a program that generated source names, read from its tables once: arenas, methods,
// tensors, forms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/cpu_features.h"
#include "core/format.h"
#include "core/types.h"
#include "planner/board/board.h"
#include "planner/program/aligned_program.h"
#include "planner/program/counted_dims.h"

namespace arenite::planner {

// One memory of the board, as large as the method that needs most of it asks; or what one method
// keeps there between runs.
struct CcArena {
  std::string memory;  // the board's name for it
  std::string id;      // "dtcm"
  std::string type;    // "Dtcm"
  std::string region;  // "ARENITE_DTCM", of linker scripts
  bool states = false;
  uint32_t bytes = 0, alignment = 1;
  uint64_t base = 0, memory_bytes = 0;  // of the board's memory; both 0 where not known
};

// A dim of an input that is a symbol, which callers set.
struct SymbolDim {
  uint32_t axis = 0;
  std::string name;  // the symbol's
  uint32_t least = 0, most = 0;
};

struct CcTensor {
  std::string name;  // the model's
  std::string id;
  DType dtype = DType::kNone;
  std::vector<uint32_t> dims;
  uint64_t elements = 1;
  bool lent = false;   // lies in the caller's memory
  bool state = false;  // an input that is kept between runs
  // Quantized integers stand for (integer - zero_point) * scale.
  std::optional<format::QuantizationRecord> quantization = {};
  std::vector<CountedDim> counted_dims = {};  // of an output
  bool symbolic = false;                      // `dims` are the most: they follow from symbols
  std::vector<SymbolDim> symbol_dims = {};    // of an input
};

struct CcMethod {
  std::string name, id;
  uint32_t method = 0, variant = 0;
  struct Arena {
    int shared = -1;  // index into CcModel::arenas, or -1: an input or output that the caller lends
    uint32_t bytes = 0;
  };
  std::vector<Arena> arenas;  // in the variant's order
  std::vector<CcTensor> inputs, outputs;
  bool has_states = false, has_predicates = false;
  bool has_symbols = false;  // so has some method of the program
  bool states_grow = false;  // dims of states follow from symbols
  uint32_t frame_words = 0;  // LoadOptions::frame
  uint32_t interface = 0;    // core/interface.h
};

// The forms of an operator that an image needs, by number.
struct CcForms {
  std::set<uint8_t> always;  // the planned ones, and references that may take their place there
  // References that an image needs only where its compiler is not told to use all of `features`:
  // with them the planned forms run.
  std::set<uint8_t> without_features;
  CpuFeatures features = 0;

  std::set<uint8_t> all() const;
};

struct CcModel {
  std::string name;   // of the namespace and the files
  std::string board;  // printable
  std::span<const std::byte> file;
  uint32_t digest = 0;           // Program::digest
  bool shares_states = false;    // one arena holds the states of all methods
  size_t constant_sections = 1;  // up to the last section that holds constants
  std::vector<CcArena> arenas;
  std::vector<CcMethod> methods;
  std::map<Op, CcForms> forms;  // that run each operator's steps on the CPU

  // What an instance has room for: the most of any method.
  uint32_t frame_words() const;
  size_t arenas_of_methods() const;
};

// Takes the last variant of each method, which runs on the CPU. `board` may be null: then no
// addresses are known.
CcModel cc_model(const AlignedProgram& program, const std::string& name, const Board* board);

// The name in contracts ("Conv").
const char* type_name(Op op);

// An element type in generated source.
struct CcElement {
  const char* enumerator;  // "kInt8"
  const char* type;        // "std::int8_t"
};
CcElement cc_element(DType dtype);
// The scale as a literal ("1.250000000e-01f").
std::string scale_text(const format::QuantizationRecord& quantization);

// The parts of a generated source (planner/program/cc_source.h).
std::string cc_header(const CcModel& model);
std::string cc_linker_script(const CcModel& model);
// A header for C, and the C++ behind it.
struct CInterfaceFiles {
  std::string header, source;
};
CInterfaceFiles c_interface(const CcModel& model);
// "1, 8, 8".
std::string dims_list(const CcTensor& tensor);

// The name that only the linker script defines, so that an arena which nobody placed is an error.
std::string placed_symbol(const CcModel& model, const CcArena& arena);
// The input section of an arena.
std::string arena_section(const CcModel& model, const CcArena& arena);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
