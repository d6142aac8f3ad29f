// Words for codes in C, and proof that its numbers are those of C++.
#include "core/model_c.h"

namespace arenite {
namespace {

template <typename Enum>
constexpr bool is_same(uint32_t c, Enum value) {
  return c == static_cast<uint32_t>(value);
}

static_assert(is_same(ARENITE_CODE_OK, Code::kOk));
static_assert(is_same(ARENITE_CODE_TRUNCATED, Code::kTruncated));
static_assert(is_same(ARENITE_CODE_BAD_MAGIC, Code::kBadMagic));
static_assert(is_same(ARENITE_CODE_BAD_VERSION, Code::kBadVersion));
static_assert(is_same(ARENITE_CODE_UNKNOWN_FEATURE, Code::kUnknownFeature));
static_assert(is_same(ARENITE_CODE_WRONG_CONSTANTS, Code::kWrongConstants));
static_assert(is_same(ARENITE_CODE_BAD_SIGNATURE, Code::kBadSignature));
static_assert(is_same(ARENITE_CODE_BAD_CHECKSUM, Code::kBadChecksum));
static_assert(is_same(ARENITE_CODE_BAD_PLAN, Code::kBadPlan));
static_assert(is_same(ARENITE_CODE_BAD_TABLE, Code::kBadTable));
static_assert(is_same(ARENITE_CODE_BAD_INDEX, Code::kBadIndex));
static_assert(is_same(ARENITE_CODE_BAD_RANGE, Code::kBadRange));
static_assert(is_same(ARENITE_CODE_BAD_ALIGNMENT, Code::kBadAlignment));
static_assert(is_same(ARENITE_CODE_BAD_VALUE, Code::kBadValue));
static_assert(is_same(ARENITE_CODE_BAD_STEP, Code::kBadStep));
static_assert(is_same(ARENITE_CODE_OVERLAP, Code::kOverlap));
static_assert(is_same(ARENITE_CODE_NO_SUCH_METHOD, Code::kNoSuchMethod));
static_assert(is_same(ARENITE_CODE_NO_USABLE_VARIANT, Code::kNoUsableVariant));
static_assert(is_same(ARENITE_CODE_WRONG_INTERFACE, Code::kWrongInterface));
static_assert(is_same(ARENITE_CODE_ARENA_TOO_SMALL, Code::kArenaTooSmall));
static_assert(is_same(ARENITE_CODE_ARENA_MISSING, Code::kArenaMissing));
static_assert(is_same(ARENITE_CODE_NO_FORM, Code::kNoForm));
static_assert(is_same(ARENITE_CODE_BAD_OPERAND_COUNT, Code::kBadOperandCount));
static_assert(is_same(ARENITE_CODE_BAD_TYPE, Code::kBadType));
static_assert(is_same(ARENITE_CODE_BAD_SHAPE, Code::kBadShape));
static_assert(is_same(ARENITE_CODE_BAD_ATTRIBUTE, Code::kBadAttribute));
static_assert(is_same(ARENITE_CODE_BAD_LAYOUT, Code::kBadLayout));
static_assert(is_same(ARENITE_CODE_BAD_SCRATCH, Code::kBadScratch));
static_assert(is_same(ARENITE_CODE_INDEX_OUT_OF_RANGE, Code::kIndexOutOfRange));
static_assert(is_same(ARENITE_CODE_DEVICE_LOST, Code::kDeviceLost));
static_assert(is_same(ARENITE_CODE_DEVICE_ERROR, Code::kDeviceError));
static_assert(is_same(ARENITE_CODE_DEVICE_MEMORY, Code::kDeviceMemory));
static_assert(is_same(ARENITE_CODE_NOT_LOADED, Code::kNotLoaded));
static_assert(is_same(ARENITE_CODE_UNSUPPORTED, Code::kUnsupported));
static_assert(is_same(ARENITE_CODE_SYMBOL_OUT_OF_RANGE, Code::kSymbolOutOfRange));
static_assert(is_same(ARENITE_CODE_BAD_EXPRESSION, Code::kBadExpression));
static_assert(is_same(ARENITE_CODE_CANCELLED, Code::kCancelled));
static_assert(ARENITE_NO_INDEX == kNoIndex);

static_assert(is_same(ARENITE_DTYPE_NONE, DType::kNone));
static_assert(is_same(ARENITE_DTYPE_FLOAT32, DType::kFloat32));
static_assert(is_same(ARENITE_DTYPE_UINT8, DType::kUint8));
static_assert(is_same(ARENITE_DTYPE_INT8, DType::kInt8));
static_assert(is_same(ARENITE_DTYPE_UINT16, DType::kUint16));
static_assert(is_same(ARENITE_DTYPE_INT16, DType::kInt16));
static_assert(is_same(ARENITE_DTYPE_INT32, DType::kInt32));
static_assert(is_same(ARENITE_DTYPE_INT64, DType::kInt64));
static_assert(is_same(ARENITE_DTYPE_BOOL, DType::kBool));
static_assert(is_same(ARENITE_DTYPE_FLOAT16, DType::kFloat16));
static_assert(is_same(ARENITE_DTYPE_FLOAT64, DType::kFloat64));
static_assert(is_same(ARENITE_DTYPE_UINT32, DType::kUint32));
static_assert(is_same(ARENITE_DTYPE_UINT64, DType::kUint64));
static_assert(is_same(ARENITE_DTYPE_BFLOAT16, DType::kBfloat16));

static_assert(sizeof(arenite_model_state) == sizeof(ModelInstance));
static_assert(alignof(arenite_model_state) == alignof(ModelInstance));

static_assert(sizeof(arenite_pauses) == sizeof(Pauses));
static_assert(offsetof(arenite_pauses, context) == offsetof(Pauses, context));
static_assert(offsetof(arenite_pauses, operations) == offsetof(Pauses, operations));
static_assert(offsetof(arenite_pauses, done) == offsetof(Pauses, done));
static_assert(offsetof(arenite_pauses, was_cut) == offsetof(Pauses, was_cut));
static_assert(offsetof(arenite_pauses, cancelled) == offsetof(Pauses, cancelled));
static_assert(offsetof(arenite_pauses, functions) == offsetof(Pauses, functions));

}  // namespace
}  // namespace arenite

const char* arenite_text_of(uint32_t code) {
  return arenite::text_of(static_cast<arenite::Code>(code));
}
// SPDX-License-Identifier: Apache-2.0
