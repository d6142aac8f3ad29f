// Tells files that hold no model from models that cannot be imported by their first bytes.
#include "tools/arenite/model_error.h"

#include "support/content.h"
#include "support/word_errors.h"

namespace arenite::tools {

void fail_of_model(const std::string& start, const std::string& path,
                   std::span<const std::byte> file, const InputError& error) {
  const Content content = content_of(file);
  const bool model = content == Content::kOnnx || content == Content::kTfLite;
  const std::string message = start + error.what();
  if (const auto* wrong = dynamic_cast<const WordError*>(&error)) {
    throw WordError(message, wrong->word, wrong->choices);
  }
  if (model || content == Content::kUnknown) throw InputError(message);
  throw FileError(message, path, {".onnx", ".tflite"});
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
