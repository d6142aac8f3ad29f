// An error in four bytes and two indices: no heap, and no text unless somebody asks for it.
#pragma once

#include <cstdint>

namespace arenite {

enum class Code : std::uint32_t {
  kOk = 0,
  // The file.
  kTruncated,       // the bytes end before the structure they announce
  kBadMagic,        // not an Arenite program
  kBadVersion,      // value: the format it is written in, earlier or newer than those read here
  kUnknownFeature,  // needs a feature this runtime does not have; value = its bit
  kWrongConstants,  // the file of constants is not the one the program was made with
  kBadSignature,    // value = its section, or kNoIndex where there is none
  kBadChecksum,     // value = section index, or kNoIndex for header and plan
  kBadPlan,         // the plan is not a valid message
  kBadTable,  // a table is misaligned, or not a whole number of records; value = its field number
  kBadIndex,  // a record points outside the table it refers to
  kBadRange,  // an offset and a size leave the storage they lie in
  kBadAlignment,
  kBadValue,  // dims, type, layout, kind or lifetime of a value make no sense
  kBadStep,   // a step's operands, order or target make no sense
  kOverlap,   // two values that live at the same time share bytes
  // The request.
  kNoSuchMethod,
  kNoUsableVariant,  // no variant's requirements hold
  kWrongInterface,   // inputs and outputs are not those that the generated header was written for
  kArenaTooSmall,    // value = arena index
  kArenaMissing,     // value = arena index
  kNoForm,           // no form that is here runs this step; value = its op
  // The operands of a step: found by its contract before anything runs.
  kBadOperandCount,
  kBadType,
  kBadShape,
  kBadAttribute,
  kBadLayout,
  kBadScratch,
  // While running.
  kIndexOutOfRange,  // an index that is data (gather) lies outside the axis
  kDeviceLost,
  kDeviceError,  // value = the driver's result code
  kDeviceMemory,
  kNotLoaded,
  kUnsupported,
  // Symbols.
  kSymbolOutOfRange,  // value = the symbol: its number is less or more than it may be
  kBadExpression,     // value = the expression: it has no result, or not the one that is stored
  // Pauses.
  kCancelled,  // a call said that the run must end; it can begin anew
};

inline constexpr std::uint32_t kNoIndex = 0xffffffffu;

// A code, the step it belongs to, and the index of the value (or other thing, see Code) at fault.
struct [[nodiscard]] Status {
  Code code = Code::kOk;
  std::uint32_t step = kNoIndex;
  std::uint32_t value = kNoIndex;

  constexpr bool ok() const { return code == Code::kOk; }
};

// A few English words for a code. Costs about 2 KiB of an image that calls it.
const char* text_of(Code code);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
