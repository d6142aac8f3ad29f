// Writes one array a property, so that pages with thousands of tensors stay small.
#include "planner/report/picture/page_data.h"

#include <nlohmann/json.hpp>

#include "planner/report/picture/brief_name.h"
#include "planner/report/picture/operator_color.h"
#include "planner/report/shortages.h"
#include "support/errors.h"

namespace arenite::picture {
namespace {

using Json = nlohmann::ordered_json;

// Changes with what page/plan.js reads.
constexpr int kPageVersion = 2;

using memory::MemoryReport;
using planner::VariantReport;

Json exact(uint64_t number) {
  constexpr uint64_t kExactMax = uint64_t{1} << 53;
  return number <= kExactMax ? Json(number) : Json(std::to_string(number));
}

Json memories(const MemoryReport& report) {
  Json list = Json::array();
  for (const memory::MemoryUse& use : report.memories) {
    Json live = Json::array();
    for (const memory::LiveSpan& span : use.live) {
      live.push_back({span.first, span.last, exact(span.bytes)});
    }
    list.push_back(
        {{"name", use.name},
         {"base", memory::address_text(use.base)},
         {"size", use.size_bytes == memory::kUnbounded ? Json(nullptr) : exact(use.size_bytes)},
         {"peak", exact(use.peak_bytes)},
         {"bound", exact(use.lower_bound_bytes)},
         {"most_live", exact(memory::most_live(use))},
         {"peak_step", use.peak_step},
         {"read", exact(use.read_bytes)},
         {"written", exact(use.written_bytes)},
         {"read_cost", use.read_cost},
         {"write_cost", use.write_cost},
         {"live", std::move(live)}});
  }
  return list;
}

// The short form of a name; null where it is the same.
Json label(const std::string& name) {
  std::string text = brief_name(name);
  return text == name ? Json(nullptr) : Json(std::move(text));
}

// When which bytes of each buffer hold data, where those are not all of them all its life.
Json parts(const Section& section) {
  Json list = Json::array();
  for (const memory::PlacedBuffer& buffer : section.report->buffers) {
    Json spans = Json::array();
    for (const memory::Use& use : buffer.uses) {
      spans.push_back(
          {use.steps.first, use.steps.last, exact(use.bytes.begin), exact(use.bytes.end)});
    }
    list.push_back(buffer.has_gaps() ? std::move(spans) : Json(nullptr));
  }
  return list;
}

// One array a property: a page with thousands of tensors stays small.
Json tensors(const Section& section) {
  Json columns = Json::object();
  for (const memory::PlacedBuffer& buffer : section.report->buffers) {
    columns["name"].push_back(buffer.name);
    columns["label"].push_back(label(buffer.name));
    columns["memory"].push_back(buffer.memory);
    columns["offset"].push_back(exact(buffer.offset));
    columns["bytes"].push_back(exact(buffer.size_bytes));
    columns["first"].push_back(buffer.lifetime.first);
    columns["last"].push_back(buffer.lifetime.last);
    columns["reads"].push_back(buffer.reads);
    columns["writes"].push_back(buffer.writes);
    columns["fixed"].push_back(buffer.fixed);
    columns["tied_elsewhere"].push_back(buffer.tied_elsewhere);
    columns["tied_to"].push_back(buffer.relative ? Json(buffer.relative->base) : Json(nullptr));
  }
  columns["parts"] = parts(section);
  if (section.variant == nullptr) return columns;
  for (const planner::TensorReport& tensor : section.variant->tensors) {
    columns["dtype"].push_back(tensor.dtype);
    columns["shape"].push_back(tensor.shape);
    columns["layout"].push_back(tensor.layout);
    columns["role"].push_back(tensor.role);
    columns["written_by"].push_back(tensor.written_by);
    columns["read_by"].push_back(tensor.read_by);
  }
  return columns;
}

Json steps(const Section& section) {
  Json list = Json::array();
  for (size_t i = 0; i < section.variant->step_list.size(); ++i) {
    const planner::StepReport& step = section.variant->step_list[i];
    list.push_back({{"name", step.name},
                    {"label", label(step.name)},
                    {"op", step.op},
                    {"where", step.where},
                    {"serial", step.serial}});
    if (i >= section.steps.size()) continue;
    const StepFacts& facts = section.steps[i];
    if (!facts.form.empty()) list.back()["form"] = facts.form;
    if (facts.macs != 0) list.back()["macs"] = exact(facts.macs);
    if (facts.cost) list.back()["cost"] = *facts.cost;
  }
  return list;
}

Json weights(const Section& section) {
  Json columns = Json::object();
  for (const Weight& weight : section.weights) {
    columns["name"].push_back(weight.name);
    columns["label"].push_back(label(weight.name));
    columns["dtype"].push_back(weight.dtype);
    columns["shape"].push_back(weight.shape);
    columns["bytes"].push_back(exact(weight.bytes));
    columns["read_by"].push_back(weight.read_by);
  }
  return columns;
}

// The colors of the operators and roles in a section.
Json colors(const VariantReport& variant) {
  Json colors = Json::object();
  for (const planner::StepReport& step : variant.step_list) {
    colors[step.op] = operator_color(step.op);
  }
  for (const planner::TensorReport& tensor : variant.tensors) {
    colors[tensor.role] = operator_color(tensor.role);
  }
  return colors;
}

Json lowering(const planner::PeakReport& report) {
  Json passes = Json::array();
  for (const planner::PeakEffect& effect : report.effects) {
    passes.push_back({{"name", effect.pass},
                      {"enabled", effect.enabled},
                      {"places", effect.places},
                      {"live", exact(effect.live_bytes)},
                      {"saved", effect.saved_bytes}});
  }
  return {{"baseline", exact(report.baseline_bytes)},
          {"native", exact(report.native_bytes)},
          {"passes", std::move(passes)},
          {"final", exact(report.final_bytes)}};
}

Json program_memories(const Heading& heading) {
  Json list = Json::array();
  for (const planner::ProgramMemoryReport& memory : heading.program_memories) {
    list.push_back({{"board", memory.board},
                    {"name", memory.name},
                    {"image", memory.image},
                    {"base", memory::address_text(memory.base)},
                    {"size", exact(memory.size_bytes)},
                    {"used", exact(memory.used_bytes())},
                    {"contents", planner::contents_text(memory)}});
  }
  return list;
}

Json section_json(const Section& section) {
  const MemoryReport& report = *section.report;
  Json json = {{"title", section.title},
               {"algorithm", section.algorithm},
               {"faulty", section.faulty},
               {"memories", memories(report)},
               {"total_peak", exact(report.total_peak_bytes)},
               {"total_peak_step", report.total_peak_step},
               {"peak_sum", exact(report.peak_sum_bytes)},
               {"bound", exact(report.lower_bound_bytes)},
               {"optimal", report.optimal},
               {"slow_traffic", exact(report.slow_traffic_bytes)},
               {"slow_traffic_bound", exact(report.slow_traffic_bound_bytes)},
               {"total_traffic", exact(report.total_traffic_bytes)},
               {"tensors", tensors(section)}};
  json["common"] = Json::array();
  for (const memory::CommonBytes& common : report.common) {
    json["common"].push_back({common.owner, common.guest, exact(common.offset), exact(common.bytes),
                              common.why == memory::CommonWhy::kPart ? "part" : "over_input"});
  }
  if (section.variant == nullptr) return json;
  json["board"] = section.variant->board;
  json["device"] = section.variant->vulkan ? "vulkan" : "cpu";
  json["method"] = section.variant->method;
  json["steps"] = steps(section);
  json["colors"] = colors(*section.variant);
  json["cost_unit"] = section.cost_unit;
  if (!section.weights.empty()) json["weights"] = weights(section);
  json["lowering"] = lowering(section.variant->lowering);
  return json;
}

}  // namespace

std::string page_data(const Heading& heading, std::span<const Section> sections) {
  Json json = {{"version", kPageVersion},
               {"title", heading.title},
               {"program_memories", program_memories(heading)}};
  json["sections"] = Json::array();
  for (const Section& section : sections) json["sections"].push_back(section_json(section));
  if (!heading.before.empty()) {
    json["before"] = Json::parse(heading.before);
    json["before"].erase("before");
    json["before"]["file"] = heading.before_name;
  }
  const std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '<':
        safe += "\\u003c";
        break;
      case '>':
        safe += "\\u003e";
        break;
      case '&':
        safe += "\\u0026";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string data_of_page(const std::string& page, const std::string& name) {
  constexpr std::string_view kBegin = "<script type=\"application/json\" id=\"plan\">";
  const size_t at = page.find(kBegin);
  const size_t begin = at == std::string::npos ? at : at + kBegin.size();
  const size_t end = at == std::string::npos ? at : page.find("</script>", begin);
  if (end == std::string::npos) {
    throw InputError(name + ": is no page of a plan; expected what --report html wrote");
  }
  std::string data = page.substr(begin, end - begin);
  const Json json = Json::parse(data, nullptr, false);
  if (!json.is_object() || json.value("version", 0) != kPageVersion) {
    throw InputError(name + ": is a page of another version of arenite; expected one of this " +
                     "version: plan the model again");
  }
  return data;
}

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0
