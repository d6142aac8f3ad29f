// What went wrong, in four bytes and two indices: no text, no heap; host tools turn it into
// English.
#pragma once

#include <cstdint>

namespace arenite {

enum class Code : uint32_t {
  kOk = 0,
  // The file.
  kTruncated,       // the bytes end before the structure they announce
  kBadMagic,        // not an Arenite program
  kBadVersion,      // written for a newer reader
  kUnknownFeature,  // needs a feature this runtime does not have; value = its bit
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
  kArenaTooSmall,    // value = arena index
  kArenaMissing,     // value = arena index
  kNoKernel,         // the kernel table does not hold this step's op
  // The operands of a step: found by its op's check before anything runs.
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
};

inline constexpr uint32_t kNoIndex = 0xffffffffu;

// A code, the step it belongs to, and the index of the value (or other thing, see Code) at fault.
struct [[nodiscard]] Status {
  Code code = Code::kOk;
  uint32_t step = kNoIndex;
  uint32_t value = kNoIndex;

  constexpr bool ok() const { return code == Code::kOk; }
};

constexpr Status ok_status() { return {}; }
// Not inline: three words built at every place that fails are most of what failing costs.
Status error(Code code, uint32_t value = kNoIndex);

// A T or the status that says why there is none. T must be default-constructible.
template <typename T>
class [[nodiscard]] Result {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr Result(T value) : value_(value) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr Result(const Status& status) : status_(status) {}

  constexpr bool ok() const { return status_.ok(); }
  constexpr Status status() const { return status_; }
  constexpr const T& operator*() const { return value_; }
  constexpr const T* operator->() const { return &value_; }

 private:
  T value_{};
  Status status_;
};

}  // namespace arenite

// Returns from the calling function when `expression` is not ok.
#define ARENITE_TRY(expression)                                                    \
  do {                                                                             \
    if (::arenite::Status arenite_status_ = (expression); !arenite_status_.ok()) { \
      return arenite_status_;                                                      \
    }                                                                              \
  } while (false)
// SPDX-License-Identifier: Apache-2.0
