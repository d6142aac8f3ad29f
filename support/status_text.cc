// Says what the numbers of a status count.
#include "support/status_text.h"

namespace arenite {

const char* value_noun(Code code) {
  switch (code) {
    case Code::kUnknownFeature:
      return "feature bit";
    case Code::kBadChecksum:
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
    default:
      return nullptr;
  }
}

std::string status_text(Status status) {
  std::string text(text_of(status.code));
  if (status.value != kNoIndex) {
    const char* noun = value_noun(status.code);
    const int32_t number = static_cast<int32_t>(status.value);
    text += ": " + std::string(noun != nullptr ? noun : "value") + " ";
    text +=
        status.code == Code::kDeviceError ? std::to_string(number) : std::to_string(status.value);
  }
  if (status.step != kNoIndex) text = "step " + std::to_string(status.step) + ": " + text;
  return text;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
