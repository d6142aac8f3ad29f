// The English of each status code.
#include "tools/run/status_text.h"

#include "tools/run/program_file.h"

namespace arenite::tools {
namespace {

// What Status.value counts for a code; null when it is a value of the program.
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

}  // namespace

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

std::string status_text(Status status, const ProgramFile& file, uint32_t method, uint32_t variant) {
  std::string text(text_of(status.code));
  if (status.value != kNoIndex) {
    const char* noun = value_noun(status.code);
    if (noun == nullptr) {
      text += ": '" + file.value_name(method, variant, status.value) + "'";
    } else {
      text = status_text({status.code, kNoIndex, status.value});
    }
  }
  return status.step == kNoIndex ? text
                                 : file.step_name(method, variant, status.step) + ": " + text;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
