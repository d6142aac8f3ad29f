// Writes the JSON objects of errors and of commands that look around; shared parts of the others.
#include "tools/arenite/json.h"

#include "tools/arenite/json_value.h"

namespace arenite::tools {

std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

Json outputs_json(const std::vector<OutputLine>& outputs) {
  Json json = Json::array();
  for (const OutputLine& output : outputs) {
    Json line{{"name", output.name},
              {"dtype", std::string(text_of(output.dtype))},
              {"shape", output.dims},
              {"file", nullptr}};
    if (!output.file.empty()) line["file"] = output.file;
    json.push_back(std::move(line));
  }
  return json;
}

Json top_json(const TopReport& report) {
  Json json = Json::array();
  for (const TopClasses& row : report.rows) {
    Json classes = Json::array();
    for (const Class& one : row.classes) {
      classes.push_back({{"class", one.index}, {"label", one.label}, {"score", one.score}});
    }
    json.push_back({{"output", report.output},
                    {"run", row.run},
                    {"row", row.row},
                    {"classes", std::move(classes)}});
  }
  return json;
}

std::string to_json(const std::vector<ConformCase>& cases) {
  Json json;
  for (const char* result : {"passed", "failed", "skipped", "wrong"}) {
    uint32_t count = 0;
    for (const ConformCase& one : cases) count += one.result == result ? 1u : 0u;
    json[result] = count;
  }
  json["cases"] = Json::array();
  for (const ConformCase& one : cases) {
    json["cases"].push_back({{"name", one.name},
                             {"result", one.result},
                             {"why", one.why},
                             {"bound", one.bound},
                             {"device", one.device},
                             {"fell_back", nullptr},
                             {"vulkan_steps", one.vulkan_steps},
                             {"cpu_steps", one.cpu_steps}});
    if (one.fell_back) json["cases"].back()["fell_back"] = *one.fell_back;
  }
  return dump(json);
}

std::string to_json(const DoctorReport& report) {
  Json json;
  json["vulkan"] = Json::array();
  for (const VulkanDeviceLine& device : report.vulkan) {
    Json limits = Json::object();
    for (const auto& [name, number] : device.limits) limits[name] = number;
    Json line{{"name", device.name},
              {"driver", device.driver},
              {"software", device.software},
              {"limits", limits}};
    line["problem"] = nullptr;
    if (!device.problem.empty()) line["problem"] = device.problem;
    json["vulkan"].push_back(std::move(line));
  }
  json["vulkan_problem"] = nullptr;
  if (!report.vulkan_problem.empty()) json["vulkan_problem"] = report.vulkan_problem;
  json["boards"] = Json::array();
  for (const DoctorReport::Board& board : report.boards) {
    json["boards"].push_back(
        {{"name", board.name}, {"ready", board.ready}, {"missing", board.missing}});
  }
  return dump(json);
}

std::string error_json(const std::string& message) { return dump(Json{{"error", message}}); }

std::string error_json(const planner::ObstaclesError& error) {
  Json json{{"error", error.what()}};
  json["unsupported"] = Json::array();
  for (const planner::ObstacleGroup& group : planner::grouped(error.obstacles)) {
    json["unsupported"].push_back({{"op", group.op},
                                   {"count", group.count},
                                   {"first_node", group.first_node},
                                   {"why", group.why},
                                   {"instead", group.instead},
                                   {"model", group.model}});
  }
  return dump(json);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
