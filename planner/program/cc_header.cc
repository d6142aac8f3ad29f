// Writes the header that an application includes: constants, tensors, instance, load.
#include <bit>
#include <cstdio>

#include "planner/graph/names.h"
#include "planner/program/cc_model.h"
#include "planner/program/cc_names.h"
#include "support/hex.h"

namespace arenite::planner {
namespace {

// The differences between inputs and outputs of the same form.
struct Side {
  const char* name;  // "input"
  const char *count, *table;
  const char* instance;
  const char* element;  // where data lies
  const char* lent;     // what bind takes: an input is only read
  const char* about;
};
constexpr Side kInput = {"input",
                         "kInputs",
                         "kInputTable",
                         "Instance&",
                         "Element",
                         "const Element",
                         "Where to write it before each run, row-major."};
constexpr Side kOutput = {"output",
                          "kOutputs",
                          "kOutputTable",
                          "const Instance&",
                          "const Element",
                          "Element",
                          "What the last run gave, row-major; until the next run."};

constexpr const char* kAboutStates =
    "A state: kept between runs, set by load and reset. Read or write it between runs, row-major.";

std::string about_states(const CcModel& model) {
  return model.shares_states
             ? ", kept between runs, of all methods: load these before the first one runs"
             : ", kept between runs: shared with nothing";
}

// What an input or output whose dims follow from symbols has besides.
std::string own_dims(const CcTensor& tensor, const Side& side) {
  std::string text =
      "  // The dims that it has now, kRank of them; kDims, kElements and kBytes are the most.\n";
  text += "  static const std::uint32_t* dims(const Instance& instance) {\n    return instance." +
          std::string(side.name) + "_dims(kIndex);\n  }\n";
  if (tensor.symbol_dims.empty()) return text;
  text +=
      "  // Sets the dims of the next runs; other inputs and outputs follow. What they held is "
      "lost.\n";
  for (const SymbolDim& dim : tensor.symbol_dims) {
    text += "  // Dim " + std::to_string(dim.axis) + ", " + literal(dim.name) + ": " +
            std::to_string(dim.least) + " to " + std::to_string(dim.most) + ".\n";
  }
  text +=
      "  static arenite::Status set_shape(Instance& instance, const std::uint32_t (&dims)[kRank]) "
      "{\n"
      "    return arenite::set_shape(instance, kIndex, dims, kRank);\n  }\n";
  return text;
}

std::string tensor(const CcTensor& tensor, uint32_t index, const Side& side) {
  const CcElement element = cc_element(tensor.dtype);
  const std::string rank = std::to_string(tensor.dims.size());
  const std::string dims = dims_list(tensor);
  const std::string name = side.name;
  const uint64_t bytes = tensor.elements * element_bytes(tensor.dtype);
  std::string text = "// " + dtype_name(tensor.dtype) + " " + dims_text(tensor.dims) +
                     (tensor.symbolic ? " at most" : "") + "\n";
  text += "struct " + tensor.id + " {\n";
  text += std::string("  using Element = ") + element.type + ";\n";
  text += "  static constexpr const char* kName = " + literal(tensor.name) + ";\n";
  text += "  static constexpr std::uint32_t kIndex = " + std::to_string(index) + ";\n";
  text += std::string("  static constexpr arenite::DType kType = arenite::DType::") +
          element.enumerator + ";\n";
  text += "  static constexpr std::uint32_t kRank = " + rank + ";\n";
  if (!dims.empty()) text += "  static constexpr std::uint32_t kDims[] = {" + dims + "};\n";
  text += "  static constexpr std::size_t kElements = " + std::to_string(tensor.elements) + ";\n";
  text += "  static constexpr std::size_t kBytes = " + std::to_string(bytes) + ";\n";
  if (tensor.quantization.has_value()) {
    text += "  // An integer stands for (integer - kZeroPoint) * kScale.\n";
    text += "  static constexpr float kScale = " + scale_text(*tensor.quantization) + ";\n";
    text += "  static constexpr std::int32_t kZeroPoint = " +
            std::to_string(tensor.quantization->zero_point) + ";\n";
    text +=
        "  // The same of the program that is loaded, should it be another than this header's.\n"
        "  static arenite::Quantisation quantisation(const Instance& instance) {\n"
        "    return instance." +
        name + "_quantisation(kIndex);\n  }\n";
  }
  if (tensor.symbolic) text += own_dims(tensor, side);
  for (const auto& [axis, count] : tensor.counted_dims) {
    text += "  // So many of dim " + std::to_string(axis) +
            " hold results of the last run; leave those behind alone.\n"
            "  static std::uint32_t results_in_dim_" +
            std::to_string(axis) +
            "(const Instance& instance) {\n"
            "    return static_cast<std::uint32_t>(\n"
            "        *static_cast<const std::int64_t*>(instance.output(" +
            std::to_string(count) + ")));\n  }\n";
  }
  text += std::string("  // ") + (tensor.state ? kAboutStates : side.about) + "\n";
  text += std::string("  static ") + side.element + "* data(" + side.instance + " instance) {\n" +
          "    return static_cast<" + side.element + "*>(instance." + name + "(kIndex));\n  }\n";
  text += std::string(
              "  // For a model planned with --io caller: memory of yours for the next runs.\n") +
          "  static arenite::Status bind(Instance& instance, " + side.lent + "* memory) {\n" +
          "    return instance.bind_" + name + "(kIndex, memory, kBytes);\n  }\n};\n";
  return text;
}

std::string tensors(const std::vector<CcTensor>& list, const Side& side) {
  const std::string space = std::string(side.name) + "s";
  std::string text = "namespace " + space + " {\n", rows;
  uint32_t index = 0;
  for (const CcTensor& one : list) {
    text += tensor(one, index++, side);
    const std::string id = "    {" + space + "::" + one.id + "::";
    rows += id + "kName, " + space + "::" + one.id + "::kType, " + space + "::" + one.id +
            "::kRank, " + (one.dims.empty() ? "nullptr" : space + "::" + one.id + "::kDims") +
            ", " + space + "::" + one.id + "::kBytes, " + (one.lent ? "true" : "false") + ", " +
            (one.state ? "true" : "false") + "},\n";
  }
  text += "}  // namespace " + space + "\n";
  text += std::string("constexpr std::uint32_t ") + side.count + " = " +
          std::to_string(list.size()) + ";\n";
  if (!list.empty()) {
    text +=
        std::string("constexpr arenite::ModelTensor ") + side.table + "[] = {\n" + rows + "};\n";
  }
  return text + "\n";
}

std::string arenas(const CcModel& model) {
  std::string constants, members;
  uint64_t total = 0;
  for (const CcArena& arena : model.arenas) {
    const std::string bytes = "kArena" + arena.type + "Bytes";
    const std::string alignment = "kArena" + arena.type + "Alignment";
    constants += "constexpr std::size_t " + bytes + " = " + std::to_string(arena.bytes) + ";\n" +
                 "constexpr std::size_t " + alignment + " = " + std::to_string(arena.alignment) +
                 ";\n";
    members += "  void* " + arena.id + ";  // " + bytes + " at a multiple of " + alignment +
               (arena.states ? about_states(model) : "") + "\n";
    total += arena.bytes;
  }
  return constants + "constexpr std::size_t kArenaBytes = " + std::to_string(total) +
         ";  // of all\n\n" +
         "// Memory for one instance, by the names of the board's memories.\n"
         "struct Arenas {\n" +
         members + "};\n\n";
}

std::string method(const CcMethod& method) {
  return tensors(method.inputs, kInput) + tensors(method.outputs, kOutput) +
         "// Proves that running the program can touch nothing but its arenas, and binds it to the "
         "model's\n"
         "// own: they hold one instance at a time. Once, and again after an error or to begin "
         "anew. Errors:\n"
         "// those of a damaged program; the instance then stays empty.\n"
         "arenite::Status load(Instance& instance);\n"
         "// The same in memory that you give and keep: for more instances, or shared with others "
         "while this\n"
         "// one does not run.\n"
         "arenite::Status load(Instance& instance, const Arenas& arenas);\n"
         "// The same of a program that lies elsewhere, at a multiple of 64, and stays there: one "
         "that was\n"
         "// received, say. Refused unless its inputs and outputs are this header's "
         "(kWrongInterface) and it\n"
         "// needs no other and no larger arenas. Constants are not looked at: see "
         "verify_constants. Not\n"
         "// there in an image without the verifier.\n"
         "arenite::Status load(Instance& instance, const void* program, std::size_t bytes);\n"
         "arenite::Status load(Instance& instance, const void* program, std::size_t bytes,\n"
         "                     const Arenas& arenas);\n" +
         (method.has_states
              ? "// Gives each state what it holds before the first run, as load does. Errors: "
                "kNotLoaded.\n"
                "inline arenite::Status reset(Instance& instance) { return "
                "arenite::reset_states(instance); }\n"
              : "") +
         (method.states_grow
              ? "// Before a state is read: gives it the dims that the last run left it. Errors: "
                "kNotLoaded.\n"
                "inline arenite::Status settle(Instance& instance) { return "
                "arenite::settle_states(instance); }\n"
              : "");
}

std::string instance(const CcModel& model) {
  const uint32_t words = model.frame_words();
  return "struct Instance : arenite::ModelInstance {\n"
         "  // The runtime's: where constants and arenas lie.\n"
         "  const std::byte* section_addresses[" +
         std::to_string(model.constant_sections) +
         "] = {};\n"
         "  std::byte* arena_addresses[" +
         std::to_string(model.arenas_of_methods()) + "] = {};\n" +
         (words == 0 ? ""
                     : "  // What follows from the dims that are set.\n"
                       "  std::uint32_t frame[" +
                           std::to_string(words) + "] = {};\n") +
         "};\n\n";
}

}  // namespace

std::string cc_header(const CcModel& model) {
  std::string text = "// Generated by `arenite plan --emit-cc`; do not edit. Planned for board " +
                     model.board +
                     ".\n"
                     "#pragma once\n\n"
                     "#include <cstddef>\n"
                     "#include <cstdint>\n\n"
                     "#include \"arenite/model.h\"\n\n"
                     "namespace " +
                     model.name +
                     " {\n\n"
                     "// May be static; arenite/model.h says what it can do.\n" +
                     instance(model) +
                     "// The program, which may lie in flash.\n"
                     "constexpr std::size_t kProgramBytes = " +
                     std::to_string(model.file.size()) +
                     ";\n"
                     "constexpr std::uint32_t kProgramDigest = " +
                     "0x" + hex_digits(model.digest, 8) + "u" +
                     ";  // see Instance::program_digest\n"
                     "const void* program();\n\n" +
                     arenas(model);
  for (const CcMethod& one : model.methods) {
    if (model.methods.size() == 1) {
      text += method(one);
    } else {
      text += "// Method " + literal(one.name) + ".\nnamespace " + one.id + " {\n\n" + method(one) +
              "\n}  // namespace " + one.id + "\n\n";
    }
  }
  return text + "\n}  // namespace " + model.name + "\n";
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
