// Reads "fault: pc 0x... lr 0x... cfsr 0x..." and the bits of Armv7-M's fault registers.
#include "tools/target/fault.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <optional>

#include "support/hex.h"

namespace arenite::tools {
namespace {

constexpr const char* kReport = "\nfault:";

struct Bit {
  uint32_t bit;
  const char* meaning;
};

// Of CFSR: memory management from bit 0, bus from 8, usage from 16.
constexpr Bit kConfigurable[] = {
    {0, "an instruction fetched from where none may run"},
    {1, "data read or written where it may not be"},
    {3, "returning from an exception, the stack may not be read"},
    {4, "entering an exception, the stack may not be written"},
    {5, "saving floating-point state, the stack may not be written"},
    {8, "an instruction fetched from where there is no memory"},
    {9, "data read or written where there is no memory"},
    {10, "data written where there is no memory, some instructions before"},
    {11, "returning from an exception, there is no memory at the stack"},
    {12, "entering an exception, there is no memory at the stack"},
    {13, "saving floating-point state, there is no memory at the stack"},
    {16, "an instruction that the CPU does not have"},
    {17, "a jump to code that is no Thumb code"},
    {18, "a wrong return from an exception"},
    {19, "an instruction of a coprocessor that is off or absent"},
    {20, "a stack overflow"},
    {24, "an access that is not aligned"},
    {25, "a division by zero"},
};
constexpr uint32_t kMemoryAddressIsValid = 1u << 7, kBusAddressIsValid = 1u << 15;

constexpr Bit kHard[] = {
    {1, "the vector table cannot be read"},
    {30, "a fault of another kind that could not be handled as such"},
    {31, "a breakpoint without a debugger"},
};

std::optional<uint32_t> register_of(const std::string& line, const std::string& name) {
  const size_t at = line.find(" " + name + " 0x");
  if (at == std::string::npos) return std::nullopt;
  return static_cast<uint32_t>(std::strtoul(line.c_str() + at + name.size() + 2, nullptr, 16));
}

template <size_t kCount>
std::string meanings(const Bit (&bits)[kCount], uint32_t word) {
  std::string text;
  for (const Bit& bit : bits) {
    if ((word >> bit.bit & 1u) != 0) text += (text.empty() ? "" : ", ") + std::string(bit.meaning);
  }
  return text;
}

std::string hex(uint32_t word) { return "0x" + hex_digits(word, 8); }

// " in FUNCTION"; functions are the symbols whose bit 0 is set.
std::string place(uint32_t address, const ElfImage* image) {
  if (image == nullptr) return "";
  uint32_t best = 0;
  std::string name;
  for (const auto& [symbol, value] : image->symbols) {
    if ((value & 1u) == 0 || value < best || (value & ~1u) > (address & ~1u)) continue;
    best = value;
    name = symbol;
  }
  if (name.empty()) return "";
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> plain(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return " in " + (status == 0 ? std::string(plain.get()) : name);
}

}  // namespace

bool has_fault(const std::string& said) {
  const size_t at = said.rfind(kReport);
  return at != std::string::npos && said.find('\n', at + 1) != std::string::npos;
}

std::string fault_text(const std::string& said, const ElfImage* image) {
  const size_t at = said.rfind(kReport);
  if (at == std::string::npos) return "";
  const std::string line = said.substr(at + 1, said.find('\n', at + 1) - at - 1);
  const uint32_t cfsr = register_of(line, "cfsr").value_or(0);
  const auto hfsr = register_of(line, "hfsr");
  std::string text = meanings(kConfigurable, cfsr);
  if (text.empty() && hfsr) text = meanings(kHard, *hfsr);
  if (text.empty()) text = "a fault without a cause";
  text += " (CFSR " + hex(cfsr) + (hfsr ? ", HFSR " + hex(*hfsr) : "") + ")";
  const auto mmfar = register_of(line, "mmfar"), bfar = register_of(line, "bfar");
  if ((cfsr & kMemoryAddressIsValid) != 0 && mmfar) text += ", address " + hex(*mmfar) + " (MMFAR)";
  if ((cfsr & kBusAddressIsValid) != 0 && bfar) text += ", address " + hex(*bfar) + " (BFAR)";
  if (const auto pc = register_of(line, "pc")) {
    text += ", at PC " + hex(*pc) + place(*pc, image);
  }
  if (const auto lr = register_of(line, "lr")) {
    text += ", called from LR " + hex(*lr) + place(*lr, image);
  }
  return text;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
