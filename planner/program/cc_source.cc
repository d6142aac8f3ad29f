// Writes the source of a model: its bytes, its arenas, and how they are loaded.
#include "planner/program/cc_source.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <set>
#include <vector>

#include "core/model.h"
#include "planner/graph/graph.h"
#include "planner/graph/names.h"
#include "planner/program/cc_model.h"
#include "planner/program/cc_names.h"
#include "planner/program/kernel_files.h"
#include "portable_fallback/form_names.h"
#include "support/hex.h"

namespace arenite::planner {
namespace {

std::string hex_word(uint64_t word) {
  char text[24];
  std::snprintf(text, sizeof(text), "0x%016llxu", static_cast<unsigned long long>(word));
  return text;
}

std::string words(std::span<const std::byte> file) {
  std::string text;
  text.reserve(file.size() * 3);
  for (size_t at = 0; at < file.size(); at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, file.data() + at, std::min<size_t>(8, file.size() - at));
    text += (at % 32 == 0 ? "    " : " ") + hex_word(word) + ",";
    if (at % 32 == 24) text += "\n";
  }
  return text + "\n";
}

std::string program_section(const CcModel& model) { return ".rodata.arenite." + model.name; }

std::string array(const CcModel& model) {
  return "// Little-endian, as the program file is and every machine it runs on.\n"
         "alignas(64) [[gnu::section(\"" +
         program_section(model) + "\")]] constexpr std::uint64_t kWords[] = {\n" +
         words(model.file) +
         "};\n\n"
         "std::span<const std::byte> file() {\n"
         "  return {reinterpret_cast<const std::byte*>(kWords), kProgramBytes};\n"
         "}\n\n";
}

std::string incbin(const CcModel& model) {
  const std::string symbol = "arenite_" + model.name + "_program";
  return "#if !defined(__GNUC__) || !defined(__ELF__)\n"
         "#error \"this compiler has no .incbin: plan with --cc-data array\"\n"
         "#endif\n"
         "// " +
         model.name +
         ".arn is looked for in the folders of -I, which link-time optimization forgets: "
         "then compile\n// this file with -fno-lto.\n" +
         "asm(\".pushsection " + program_section(model) +
         ",\\\"a\\\",%progbits\\n\"\n"
         "    \".balign 64\\n\"\n"
         "    \".global " +
         symbol + "\\n\"\n    \".hidden " + symbol + "\\n\"\n    \".type " + symbol +
         ", %object\\n\"\n    \"" + symbol + ":\\n\"\n    \".incbin \\\"" + model.name +
         ".arn\\\"\\n\"\n    \".size " + symbol + ", . - " + symbol +
         "\\n\"\n    \".popsection\\n\");\n"
         "extern \"C\" [[gnu::visibility(\"hidden\")]] const std::byte " +
         symbol +
         "[];\n\n"
         "std::span<const std::byte> file() { return {" +
         symbol + ", kProgramBytes}; }\n\n";
}

// The forms of an operator as a table lists them: the best first.
std::vector<const FormNames*> in_order(Op op, const std::set<uint8_t>& numbers) {
  std::vector<const FormNames*> forms;
  for (const FormNames& form : form_names()) {
    if (form.op == op && numbers.contains(form.number)) forms.push_back(&form);
  }
  if (forms.size() != numbers.size()) {
    throw InputError("C++ source names forms that this runtime has: " + op_name(op) +
                     " was planned for a form that it lacks");
  }
  return forms;
}

std::string form_declarations(const CcModel& model) {
  std::string text;
  for (const auto& [op, forms] : model.forms) {
    for (const FormNames* form : in_order(op, forms.all())) {
      text += std::string("extern const Form ") + form->symbol + ", " + form->symbol + "Code;\n";
    }
  }
  return text.empty() ? text : "namespace arenite {\n" + text + "}\n\n";
}

// The words of a list of forms, the best first. What stands behind one that is left out is left out
// too, so that references which may be come last.
std::string form_list(Op op, const CcForms& forms) {
  std::string text, references;
  for (const FormNames* form : in_order(op, forms.all())) {
    const std::string address = std::string("ARENITE_FORM(") + form->symbol + ")";
    if (forms.always.contains(form->number)) {
      text += address + ", ";
    } else {
      references += "without(0x" + hex_digits(forms.features, 8) + "u, " + address + "), ";
    }
  }
  return text + references + "nullptr";
}

constexpr const char* kWithoutFunction =
    R"(// A reference is there for compilers that are not told to use what the planned forms need.
constexpr const arenite::Form* without(arenite::CpuFeatures features,
                                       const arenite::Form* reference) {
  return (arenite::compiled_cpu_features() & features) == features ? nullptr : reference;
}

)";

std::string op_table(const CcModel& model) {
  if (model.forms.empty()) return "constexpr arenite::OpTable kOps;\n\n";
  const bool some_may_go = std::ranges::any_of(
      model.forms, [](const auto& entry) { return entry.second.all() != entry.second.always; });
  std::string lists =
      "// Facts of forms are for proofs, and so are contracts.\n"
      "#ifdef ARENITE_WITHOUT_VERIFIER\n"
      "#define ARENITE_FORM(form) &arenite::form##Code\n"
      "#define ARENITE_CONTRACT(contract) nullptr\n"
      "#else\n"
      "#define ARENITE_FORM(form) &arenite::form\n"
      "#define ARENITE_CONTRACT(contract) &arenite::contract\n"
      "#endif\n\n";
  std::string entries;
  if (some_may_go) lists += kWithoutFunction;
  for (const auto& [op, forms] : model.forms) {
    const std::string type = type_name(op);
    const std::string list = "k" + type + "Forms";
    lists += "constexpr const arenite::Form* " + list + "[] = {" + form_list(op, forms) + "};\n";
    entries += "    {arenite::Op::k" + type + ", ARENITE_CONTRACT(k" + type + "Contract), " + list +
               "},\n";
  }
  return lists + "\nconstexpr arenite::OpEntry kOps[] = {\n" + entries + "};\n\n";
}

// The model's own arenas, and symbols by which the linker script confirms that it places them.
std::string own_arenas(const CcModel& model) {
  if (model.arenas.empty()) return "";
  std::string text, declared, asked;
  for (const CcArena& arena : model.arenas) {
    text += "alignas(kArena" + arena.type + "Alignment) [[gnu::section(\"" +
            arena_section(model, arena) + "\")]] unsigned char arena_" + arena.id + "[" +
            std::to_string(std::max(arena.bytes, 1u)) + "];\n";
    declared += "extern \"C\" const char " + placed_symbol(model, arena) + "[];\n";
    asked += "  asm volatile(\"\" : : \"r\"(" + placed_symbol(model, arena) + "));\n";
  }
  return text +
         "\n// On a bare machine an arena lies where the linker script says. What is named here is "
         "defined "
         "by\n// the fragment " +
         model.name + ".ld alone: INCLUDE it in your linker script.\n" +
         "#if defined(__unix__) || defined(ARENITE_ARENAS_PLACED)\n"
         "void ask_for_places() {}\n"
         "#else\n" +
         declared + "void ask_for_places() {\n" + asked + "}\n#endif\n\n";
}

std::string load(const CcModel& model, const CcMethod& method) {
  std::string given, memory;
  for (const CcArena& arena : model.arenas) {
    given += (given.empty() ? "" : ", ") + ("arena_" + arena.id);
  }
  for (const CcMethod::Arena& arena : method.arenas) {
    if (!memory.empty()) memory += ",\n";
    memory += arena.shared < 0 ? "      {}"
                               : "      {static_cast<std::byte*>(arenas." +
                                     model.arenas[static_cast<size_t>(arena.shared)].id + "), " +
                                     std::to_string(arena.bytes) + "}";
  }
  const std::string arenas = model.arenas.empty() ? "const Arenas&" : "const Arenas& arenas";
  std::string text =
      "namespace {\n\n"
      "constexpr arenite::LoadOptions load_options() {\n"
      "  arenite::LoadOptions options;\n";
  if (method.method != 0) text += "  options.method = " + std::to_string(method.method) + ";\n";
  if (method.variant != 0) text += "  options.variant = " + std::to_string(method.variant) + ";\n";
  if (method.has_states) {
    text += std::string("  options.states = &arenite::") +
            (method.states_grow ? "kGrowingStates" : "kStates") + ";\n";
  }
  if (method.has_predicates) text += "  options.predicates = &arenite::kPredicates;\n";
  if (method.has_symbols) text += "  options.symbols = &arenite::kSymbols;\n";
  text +=
      "  options.ops = kOps;\n"
      "#ifdef ARENITE_WITHOUT_VERIFIER\n"
      "  options.verification = nullptr;\n"
      "#endif\n"
      "  options.features = arenite::compiled_cpu_features();\n"
      "  return options;\n}\n\n"
      "constexpr arenite::LoadOptions kLoadOptions = load_options();\n\n"
      "arenite::Status load_file(Instance& instance, std::span<const std::byte> program,\n"
      "                          " +
      arenas + ") {\n";
  if (!memory.empty()) {
    text += "  const std::span<std::byte> memory[] = {\n" + memory + "};\n";
  }
  text +=
      "  const arenite::LoadMemory all = {instance.section_addresses, instance.arena_addresses, " +
      std::string(memory.empty() ? "{}" : "memory") + ", " +
      (method.frame_words != 0 ? "instance.frame" : "{}") + "};\n" +
      "  return arenite::load_model(instance, program, kLoadOptions, all, 0x" +
      hex_digits(method.interface, 8) +
      "u);\n}\n\n}  // namespace\n\n"
      "arenite::Status load(Instance& instance, const Arenas& arenas) {\n"
      "  return load_file(instance, file(), arenas);\n}\n\n";
  const std::string ask = model.arenas.empty() ? "" : "  ask_for_places();\n";
  text += "arenite::Status load(Instance& instance) {\n" + ask + "  return load(instance, Arenas{" +
          given + "});\n}\n\n";
  return text +
         "#ifndef ARENITE_WITHOUT_VERIFIER\n"
         "arenite::Status load(Instance& instance, const void* program, std::size_t bytes,\n"
         "                     const Arenas& arenas) {\n"
         "  return load_file(instance, {static_cast<const std::byte*>(program), bytes}, arenas);\n"
         "}\n\n"
         "arenite::Status load(Instance& instance, const void* program, std::size_t bytes) {\n" +
         ask + "  return load(instance, program, bytes, Arenas{" + given + "});\n}\n#endif\n";
}

std::string source_text(const CcModel& model, CcData data) {
  std::string text =
      "// Generated by `arenite plan --emit-cc`; do not edit.\n"
      "#include \"" +
      model.name +
      ".h\"\n\n"
      "#include <span>\n\n"
      "#include \"core/form.h\"\n"
      "#include \"core/model.h\"\n"
      "#include \"ops/contracts.h\"\n\n"
      "static_assert(arenite::kModelSourceVersion == " +
      std::to_string(kModelSourceVersion) +
      ",\n              \"written for another version of the runtime: plan again\");\n\n" +
      form_declarations(model) + "namespace " + model.name + " {\nnamespace {\n\n";
  text += op_table(model) + own_arenas(model);
  text += data == CcData::kArray ? array(model) : incbin(model);
  text += "}  // namespace\n\nconst void* program() { return file().data(); }\n\n";
  for (const CcMethod& method : model.methods) {
    if (model.methods.size() == 1) {
      text += load(model, method);
    } else {
      text += "namespace " + method.id + " {\n\n" + load(model, method) + "\n}  // namespace " +
              method.id + "\n\n";
    }
  }
  return text + "\n}  // namespace " + model.name + "\n";
}

std::string runtime_sources(const CcModel& model) {
  std::set<std::string> files;
  for (const auto& [op, forms] : model.forms) {
    const auto contract = contract_files(op);
    files.insert(contract.begin(), contract.end());
    for (const FormNames* form : in_order(op, forms.all())) {
      const auto code = form_files(form->file);
      files.insert(code.begin(), code.end());
    }
  }
  std::string text;
  for (const std::string& file : files) text += file + "\n";
  return text;
}

void check_one_board(const Program& program) {
  std::set<std::string> boards;
  for (const format::VariantRecord& variant : program.variants()) {
    boards.emplace(program.string(variant.board_offset, variant.board_bytes));
  }
  if (boards.size() == 1) return;
  std::string found;
  for (const std::string& board : boards) found += (found.empty() ? "" : ", ") + printable(board);
  throw InputError("C++ source is written for one board: expected a program for one, found " +
                   (found.empty() ? "none" : found));
}

}  // namespace

CcSource cc_source(std::span<const std::byte> file, const CcOptions& options) {
  if (!is_identifier(options.name)) {
    throw InputError(
        "C++ source: expected a name of letters, digits and single underscores that begins "
        "with a letter and is no word of C++, found '" +
        printable(options.name) + "'; '" + identifier(options.name) + "' would do");
  }
  const AlignedProgram program(file);
  if (!program->constant_files().empty()) {
    throw InputError(
        "C++ source is written of one file: expected a program with its constants, found "
        "them in a file of their own");
  }
  check_one_board(*program);
  const CcModel model = cc_model(program, options.name, options.board);
  CInterfaceFiles c = c_interface(model);
  return {.header = cc_header(model),
          .source = source_text(model, options.data),
          .linker_script = cc_linker_script(model),
          .c_header = std::move(c.header),
          .c_source = std::move(c.source),
          .runtime_sources = runtime_sources(model)};
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
