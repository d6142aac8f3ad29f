// Writes the JSON object of `arenite evaluate`.
#include <cmath>

#include "tools/arenite/json.h"
#include "tools/arenite/json_value.h"

namespace arenite::tools {
namespace {

Json number_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);  // JSON has no others
}

Json program_json(const Evaluation& evaluation, const EvaluatedProgram& program, uint64_t top) {
  const auto samples = static_cast<double>(evaluation.data.samples.size());
  const uint64_t right = program.right(1), right_of_top = program.right(top);
  Json json{{"program", program.program},
            {"device", program.info.on_vulkan ? "vulkan" : "cpu"},
            {"device_name", program.info.device_name},
            {"board", program.info.board},
            {"threads", program.info.threads},
            {"fell_back", nullptr},
            {"input", program.input},
            {"quantized_from_floats", program.quantized},
            {"output", program.output},
            {"right", right},
            {"top1", static_cast<double>(right) / samples},
            {"right_of_top", right_of_top},
            {"top_share", static_cast<double>(right_of_top) / samples}};
  if (program.info.fell_back) json["fell_back"] = *program.info.fell_back;
  add_times(program.times, resident_memory(), json);
  json["classes"] = Json::array();
  const std::vector<ClassCounts> counts = evaluation.class_counts(program);
  for (uint64_t c = 0; c < counts.size(); ++c) {
    if (counts[c].labeled == 0 && counts[c].found == 0) continue;
    json["classes"].push_back({{"class", c},
                               {"samples", counts[c].labeled},
                               {"found", counts[c].found},
                               {"right", counts[c].right}});
  }
  json["confusion"] = Json::array();
  for (const auto& [pair, count] : evaluation.confusion(program)) {
    json["confusion"].push_back(
        {{"class", pair.first}, {"found", pair.second}, {"samples", count}});
  }
  return json;
}

}  // namespace

std::string to_json(const Evaluation& evaluation, uint64_t top) {
  Json json{{"samples", evaluation.data.samples.size()}, {"top", top},
            {"classes", evaluation.data.classes},        {"classes_by", evaluation.data.classes_by},
            {"skipped", evaluation.data.skipped},        {"differing", 0}};
  json["programs"] = Json::array();
  for (const EvaluatedProgram& program : evaluation.programs) {
    json["programs"].push_back(program_json(evaluation, program, top));
  }
  json["answers"] = Json::array();
  uint64_t differing = 0;
  for (size_t i = 0; i < evaluation.data.samples.size(); ++i) {
    const LabeledSample& sample = evaluation.data.samples[i];
    if (evaluation.differs(i)) ++differing;
    Json of_programs = Json::array();
    for (const EvaluatedProgram& program : evaluation.programs) {
      const Answer& answer = program.answers[i];
      of_programs.push_back({{"found", answer.found},
                             {"score", number_or_null(answer.score)},
                             {"rank", answer.rank},
                             {"label_score", number_or_null(answer.label_score)}});
    }
    json["answers"].push_back({{"sample", sample.name},
                               {"label", sample.label},
                               {"differs", evaluation.differs(i)},
                               {"programs", std::move(of_programs)}});
  }
  json["differing"] = differing;
  return dump(json);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
