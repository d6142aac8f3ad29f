// Writes the JSON object of `arenite target test`.
#include "tools/arenite/json.h"
#include "tools/arenite/json_value.h"

namespace arenite::tools {

uint64_t TargetTestReport::failed() const {
  uint64_t count = 0;
  for (const TargetTestLine& test : tests) count += test.result.passed() ? 0u : 1u;
  return count;
}

std::string to_json(const TargetTestReport& report) {
  Json json;
  json["board"] = report.board;
  json["passed"] = report.tests.size() - report.failed();
  json["failed"] = report.failed();
  json["tests"] = Json::array();
  for (const TargetTestLine& test : report.tests) {
    Json one{
        {"program", test.program},  {"method", test.result.method},
        {"name", test.result.name}, {"passed", test.result.passed()},
        {"why", test.result.why()}, {report.in_emulator ? "instructions" : "ns", test.result.clock},
        {"outputs", Json::array()}};
    for (const VectorResult::Output& output : test.result.outputs) {
      Json line{{"output", output.name}, {"agrees", output.difference.agrees()}};
      add_difference(output.difference, line);
      one["outputs"].push_back(std::move(line));
    }
    json["tests"].push_back(std::move(one));
  }
  return dump(json);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
