// Puts the model's names into the English of a status.
#include "tools/run/status_text.h"

#include "support/printable.h"
#include "tools/run/program_file.h"

namespace arenite::tools {

std::string status_text(Status status, const ProgramFile& file, uint32_t method, uint32_t variant) {
  std::string text(text_of(status.code));
  if (status.value != kNoIndex) {
    const char* noun = value_noun(status.code);
    if (noun == nullptr) {
      text += ": " + quote(file.value_name(method, variant, status.value));
    } else {
      text = arenite::status_text({status.code, kNoIndex, status.value});
    }
  }
  return status.step == kNoIndex ? text
                                 : file.step_name(method, variant, status.step) + ": " + text;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
