// One way to compute an operator on one kind of machine: its facts, and the code.
#pragma once

#include <cstdint>
#include <span>

#include "core/contract.h"
#include "core/cpu_features.h"
#include "core/platform.h"
#include "core/step.h"

namespace arenite {

// The safe distance of an input that output 0 must not overlap at any distance.
inline constexpr uint64_t kNoOverlap = UINT64_MAX;

// Forms are numbered per operator (schema/forms.def). Below this they are references: plain code
// that takes every step and runs on any machine. Others take some steps, on machines with the
// features that they need; without any, they are for machines whose CPUs have no vectors.
inline constexpr uint8_t kFirstSpecialForm = 8;

// The sets of types that rows of schema/forms.def name: a form takes those that its operator has
// too.
inline constexpr TypeSet kFloatForm = type_set(DType::kFloat32);
inline constexpr TypeSet kIntegerForm =
    type_set(DType::kInt32, DType::kInt64, DType::kBool, DType::kUint8, DType::kInt8);
inline constexpr TypeSet kFloatOrIntegerForm = kFloatForm | kIntegerForm;
inline constexpr TypeSet kOtherForm = types::kAny & ~kFloatOrIntegerForm;
inline constexpr TypeSet kAnyForm = types::kAny;

// Scratch bytes of a step: for all threads together, and for each.
struct ScratchNeed {
  uint32_t bytes = 0;
  uint32_t thread_bytes = 0;
};
constexpr uint64_t scratch_bytes(const ScratchNeed& need, uint32_t threads) {
  return need.bytes + uint64_t{need.thread_bytes} * threads;
}

struct Form {
  Op op = {};
  uint8_t number = 0;
  bool parallel = false;  // splits its work over Platform::parallel_for
  // A bit for each of the first inputs: output 0 may lie in its very place where it has the same
  // type, dims and strides, on any number of threads. So may that of every form of an elementwise
  // operator (LayoutClass::kElementwise) in the place of each input.
  uint8_t in_place = 0;
  uint8_t alignment = 1;        // bytes that the data of all operands must be aligned to
  uint8_t over_read_bytes = 0;  // bytes past an input's last element that the form may read; they
                                // must belong to the value
  // The number of the plainest of the forms that differ only in instructions: same facts, other
  // needs. A program is planned with that one, and a machine runs the best of them that it has.
  // 0: there are no others.
  uint8_t kin = 0;
  Packings packings = {};
  TypeSet types = 0;  // of T
  CpuFeatures needs = 0;
  // Null: none. The last null ones below: it overlaps nothing, so that a plan for few bytes does
  // without the form; it takes all that its facts do.
  ScratchNeed (*scratch)(const Step& step) = nullptr;
  // Returns the safe distance of an input: output 0 must start at least that many bytes before the
  // input's data, or a step flagged kSerial is wrong. It is the greatest distance, over time, from
  // the lowest input byte still to be read to the end of the bytes written, or 0.
  uint64_t (*safe_distance)(const Step& step, uint32_t input) = nullptr;
  bool (*accepts)(const Step& step) = nullptr;
  // Carries out a step that keeps the operator's contract and these facts, inside its values'
  // bytes. Null where it cannot be compiled: a planner knows the facts of all targets' forms.
  Status (*run)(const Step& step, const Platform& platform) = nullptr;
};

inline constexpr uint8_t kAnyPlace = 0xff;  // of the first inputs
constexpr uint8_t in_place_of(uint32_t input) { return static_cast<uint8_t>(1u << input); }
// Forms that have a bit have few inputs.
inline bool takes_place(const Form& form, uint32_t input) {
  return form.in_place != 0 && (form.in_place >> input & 1) != 0;
}

// Whether a form reads weights of a step's layout, which is one of its contract's.
inline bool reads_weights(const Form& form, const Step& step) {
  return !step.has_input(kWeightsInput) ||
         form.packings.take(static_cast<Layout>(step.elements(kWeightsInput).layout));
}

// An operator and the forms of it that there are.
struct OpEntry {
  Op op;
  const Contract* contract;
  const Form* const* forms;  // the best first; a null one ends them
};

// The operators that a program may use, by rising number. The planner writes one table for each
// firmware; hosts have all operators.
using OpTable = std::span<const OpEntry>;

// Null where the table does not hold the operator, or the entry the number.
const OpEntry* find_op(OpTable table, Op op);
const Form* find_form(const OpEntry& entry, uint8_t number);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
