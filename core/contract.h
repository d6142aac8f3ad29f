// Contract: one record that describes an operator, whatever computes it. Import, planner, loader
// and dispatch rules read it.
#pragma once

#include <cstdint>

#include "core/step.h"
#include "core/types.h"

namespace arenite {

// Element types, a bit each by its number.
using TypeSet = uint32_t;

template <typename... Types>
constexpr TypeSet type_set(Types... types) {
  return (TypeSet{0} | ... | (TypeSet{1} << static_cast<uint32_t>(types)));
}
// The type is one of those that there are, as records have once they are checked.
constexpr bool has(TypeSet set, DType type) {
  return (set >> static_cast<uint32_t>(type) & 1u) != 0;
}

// The sets that the types column of schema/ops.def names.
namespace types {
inline constexpr TypeSet kFloat32 = type_set(DType::kFloat32);
// Types on which arithmetic is done.
inline constexpr TypeSet kNumber =
    type_set(DType::kFloat32, DType::kFloat64, DType::kUint8, DType::kInt8, DType::kUint16,
             DType::kInt16, DType::kUint32, DType::kInt32, DType::kUint64, DType::kInt64);
inline constexpr TypeSet kFloat16s = type_set(DType::kFloat16, DType::kBfloat16);
// Floats of up to 32 bits, computed in 32; and all floats.
inline constexpr TypeSet kFloat = kFloat32 | kFloat16s;
inline constexpr TypeSet kFloatOrDouble = kFloat | type_set(DType::kFloat64);
// Types in which sums are made: narrower integers would soon wrap.
inline constexpr TypeSet kWideNumber =
    kFloatOrDouble | type_set(DType::kUint32, DType::kInt32, DType::kUint64, DType::kInt64);
inline constexpr TypeSet kPower = kFloatOrDouble | type_set(DType::kInt32, DType::kInt64);
inline constexpr TypeSet kAnyNumber = kNumber | kFloat16s;
inline constexpr TypeSet kUnsigned =
    type_set(DType::kUint8, DType::kUint16, DType::kUint32, DType::kUint64);
inline constexpr TypeSet kInteger =
    kUnsigned | type_set(DType::kInt8, DType::kInt16, DType::kInt32, DType::kInt64);
inline constexpr TypeSet kBool = type_set(DType::kBool);
inline constexpr TypeSet kAny = kAnyNumber | kBool;
// Types that store quantized values; those of them that are multiplied; types of sums of products.
inline constexpr TypeSet kQuantized =
    type_set(DType::kInt8, DType::kUint8, DType::kInt16, DType::kUint16);
inline constexpr TypeSet kQuantizedFactor = type_set(DType::kInt8, DType::kUint8, DType::kInt16);
inline constexpr TypeSet kFloatOrFactor = kFloatOrDouble | kQuantizedFactor;
inline constexpr TypeSet kQuantizedOrSum = kQuantized | type_set(DType::kInt32);
inline constexpr TypeSet kByte = type_set(DType::kInt8, DType::kUint8);
inline constexpr TypeSet kInt8 = type_set(DType::kInt8);
inline constexpr TypeSet kFloat32OrInt8 = kFloat32 | kInt8;
}  // namespace types

// The type of an operand: T, the one type that a step of the operator is about, or another.
enum class OperandType : uint8_t {
  kT,
  kInt64,
  kBool,
  kIndex,  // int32 or int64
  kAny,
  kTOrHalf,  // T, or where that is float32 a 16-bit float
};

// The only operand that may be packed.
inline constexpr uint32_t kWeightsInput = 1;

// The layouts that weights may have.
struct Packings {
  uint8_t layouts = layout_bit(Layout::kStrided);  // a bit for each by its number
  // A form's: in what blocks it wants constants, none or those that it reads.
  Blocks blocks = {};

  constexpr bool operator==(const Packings&) const = default;
  constexpr bool take(Layout layout) const {
    return (layouts >> static_cast<uint32_t>(layout) & 1u) != 0;
  }
};

// Tells the planner how the operands may lie, and what it may do to their dims. The rule is about
// the first `operands` inputs.
enum class LayoutClass : uint8_t {
  kFollows,      // the output lies as the first input does; the other inputs of `operands` are
                 // repeated over its dims
  kElementwise,  // these inputs have the output's dims: any order and joining of them will do, and
                 // whoever computes an element of the output reads those of the inputs right
                 // before it, so that the output may lie in the very place of one
  kSpatial,   // pixel by pixel over all channels: the output lies channels-last; these inputs and
              // all outputs get `rank` dims, new ones of 1 before the image's own
  kMatrix,    // rows and columns of row-major outputs, all other dims batch
  kRowMajor,  // the output is row-major
  kView,      // the output is bytes of the input in other dims or strides; nothing runs
  kViewOrFollows  // kView where strides reach the elements, else kFollows
};
struct LayoutRule {
  LayoutClass kind = LayoutClass::kFollows;
  uint8_t operands = 1;
  uint8_t rank = 0;  // kSpatial; 0: as they are
};

// Elementary operations (multiply-accumulates, comparisons...) that one element of output 0 takes.
enum class Work : uint8_t {
  kOne,
  kWeights,  // the elements of input 1 that belong to one of its first dim
  kInner,    // the last dim of input 0
  kWindow,   // the elements of PoolAttributes::kernel
  kReduced,  // the elements of input 0 for each of output 0
  kKeys,     // the last dim but one of input 1, twice
};

inline constexpr uint8_t kNoActivation = 0xff;

struct Contract {
  Op op;
  uint16_t max_inputs = 1;
  uint8_t min_inputs = 1;       // the first ones, which are there; others may be left out
  uint8_t max_outputs = 1;      // at least one; those beyond the first are made where wanted
  uint8_t attribute_words = 0;  // of its struct in ops/attributes.h, which only grows at its end: a
                                // step may store fewer, the others are 0
  uint8_t activation_word = kNoActivation;  // where an Activation begins in them
  Work work = Work::kOne;
  LayoutRule layout = {};
  Packings packings = {};
  TypeSet types = types::kAny;                                                  // of T
  OperandType inputs[3] = {OperandType::kT, OperandType::kT, OperandType::kT};  // the last repeats
  OperandType outputs[2] = {OperandType::kT, OperandType::kT};
  // All operands have type T, which follows from the above.
  bool only_t = inputs[0] == OperandType::kT && inputs[1] == OperandType::kT &&
                inputs[2] == OperandType::kT && outputs[0] == OperandType::kT &&
                outputs[1] == OperandType::kT;
  // Refuses dims and attributes that make no sense: ranks, dims that do not follow from each other,
  // values out of range. The loader has checked before that all other facts of this record hold,
  // and that values lie in their storage with each element that strides can address. Reads no
  // tensor data.
  Status (*check)(const Step& step) = nullptr;
};

// Whether a number is one of an integer type's, where that has fewer than int32.
bool is_one_of(int32_t number, DType type);

// T of a step: the type of its first operand that has it.
DType type_of(const Step& step, const Contract& contract);

// Refuses a step that does not keep the contract. Errors: kBadOperandCount, kBadType, kBadLayout,
// kBadShape (an output that has not bytes of its own for each element, and what `check` says),
// kBadAttribute (words beyond the struct that are not 0, and what `check` says).
Status check_contract(const Step& step, const Contract& contract);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
