// Says what the numbers of a status count.
#include "support/status_text.h"

#include "core/format.h"

namespace arenite {

const char* value_noun(Code code) {
  switch (code) {
    case Code::kUnknownFeature:
      return "feature bit";
    case Code::kBadChecksum:
    case Code::kBadSignature:
      return "section";
    case Code::kBadTable:
      return "table (field number)";
    case Code::kBadIndex:
    case Code::kBadRange:
      return "index";
    case Code::kNoUsableVariant:
      return "requirement";
    case Code::kArenaTooSmall:
    case Code::kArenaMissing:
      return "arena";
    case Code::kDeviceError:
      return "driver result";
    case Code::kBadVersion:
      return "format";
    case Code::kNoForm:
      return "operator";
    case Code::kSymbolOutOfRange:
      return "symbol";
    case Code::kBadExpression:
      return "expression";
    default:
      return nullptr;
  }
}

const char* operator_name(Op op) {
  switch (op) {
#define ARENITE_OP(number, name, Type, family, set) \
  case Op::k##Type:                                 \
    return #name;
#include "schema/ops.def"
  }
  return nullptr;
}

namespace {

std::string number_text(Status status) {
  const char* op =
      status.code == Code::kNoForm ? operator_name(static_cast<Op>(status.value)) : nullptr;
  if (op != nullptr) return op;
  return status.code == Code::kDeviceError ? std::to_string(static_cast<int32_t>(status.value))
                                           : std::to_string(status.value);
}

// The name of the feature (a bit of format.h's Features) that this program needs and nobody knows.
const char* feature_name(Status status) {
  if (status.code != Code::kUnknownFeature || status.value > 31) return nullptr;
  switch (uint32_t{1} << status.value) {
    case format::kLoopFeature:
      return "loops";
    case format::kLoopPlaceFeature:
      return "places that move with a loop";
    default:
      return nullptr;
  }
}

// The thing that the value of a status counts, with its number.
std::string thing_text(Status status) {
  const char* noun = value_noun(status.code);
  const bool operand =
      noun == nullptr || status.code == Code::kBadIndex || status.code == Code::kBadRange;
  if (operand && format::is_constant(status.value)) {
    return "constant " + std::to_string(format::constant_index(status.value));
  }
  return std::string(noun != nullptr ? noun : "value") + " " + number_text(status);
}

}  // namespace

std::string status_text(Status status) {
  std::string text(text_of(status.code));
  if (status.value != kNoIndex) {
    if (const char* feature = feature_name(status); feature != nullptr) {
      text += std::string(", ") + feature;
    }
    text += ": " + thing_text(status);
    if (status.code == Code::kBadVersion) {
      text += status.value < format::kOldestVersion
                  ? ", from an earlier Arenite: plan the model again"
                  : ", for a newer Arenite";
    }
  }
  if (status.step != kNoIndex) text = "step " + std::to_string(status.step) + ": " + text;
  return text;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
