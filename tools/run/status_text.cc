// Puts the model's names into the English of a status.
#include "tools/run/status_text.h"

#include "core/symbols.h"
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
    const auto symbols = symbols_of(file.program(), method);
    if (status.code == Code::kSymbolOutOfRange && status.value < symbols.size()) {
      const format::SymbolRecord& symbol = symbols[status.value];
      text = std::string(text_of(status.code)) + ": " +
             quote(file.program().string(symbol.name_offset, symbol.name_bytes)) + ", expected " +
             std::to_string(symbol.least) + " to " + std::to_string(symbol.most);
    }
  }
  return status.step == kNoIndex ? text
                                 : file.step_name(method, variant, status.step) + ": " + text;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
