// Counts a model's operators, those in branches and bodies too.
#include "planner/import/import.h"
#include "planner/import/model/model.h"
#include "planner/import/tflite/import.h"
#include "support/content.h"

namespace arenite::planner {
namespace {

void count(const Model& graph, std::map<std::string, uint32_t>& counts) {
  for (const ModelNode& node : graph.nodes) {
    ++counts[node.domain.empty() ? node.op_type : node.domain + "." + node.op_type];
    for (const ModelAttribute& attribute : node.attributes) {
      if (attribute.graph != nullptr) count(*attribute.graph, counts);
    }
  }
}

}  // namespace

std::map<std::string, uint32_t> model_operators(std::span<const std::byte> file, bool is_tflite) {
  if (is_tflite || content_of(file) == Content::kTfLite) return tflite::count_operators(file);
  std::map<std::string, uint32_t> counts;
  count(read_model(file), counts);
  return counts;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
