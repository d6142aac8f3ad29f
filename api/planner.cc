// The C functions of libarenite_planner over what `arenite plan` is made of.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "api/guarded.h"
#include "include/arenite_planner.h"
#include "planner/report/picture/pictures.h"
#include "planner/report/shortages.h"
#include "support/output.h"
#include "support/printable.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/plan_request.h"
#include "tools/arenite/tool_main.h"

namespace tools = arenite::tools;
namespace planner = arenite::planner;
using arenite::InputError;
using arenite::api::require;

struct arenite_plan {
  planner::PlanResult result;  // without a program where it does not fit
};

namespace {

// Each thread's own.
thread_local std::string last_error;

template <typename Body>
arenite_result guarded(Body body) noexcept {
  return arenite::api::guarded(last_error, body);
}

std::vector<std::string> list_of(const char* const* words, size_t count) {
  if (count != 0) require(words, "words");
  std::vector<std::string> list;
  for (size_t i = 0; i < count; ++i) {
    require(words[i], "a word");
    list.emplace_back(words[i]);
  }
  return list;
}

tools::PlanRequest request_of(const char* const* words, size_t count) {
  const std::vector<std::string> list = list_of(words, count);
  tools::PlanRequest request;
  tools::Options options("arenite_plan_create", "", "");
  tools::add_plan_request(options, request);
  if (!options.parse(list)) throw InputError("expected a model, found --help");
  return request;
}

arenite_result create(const char* const* words, size_t count, arenite_plan& plan) {
  const tools::PlanRequest request = request_of(words, count);
  const planner::PlanOptions options = tools::options_of(request);
  const auto graphs = tools::import_models(request.models, options.progress);
  try {
    plan.result = tools::plan_with_advice(graphs, options);
    return ARENITE_OK;
  } catch (planner::DoesNotFitError& error) {
    plan.result.report = std::move(error.report);
    return arenite::api::failed(last_error, ARENITE_FAILED, error.what());
  }
}

std::string report_of(const planner::PlanResult& plan, const std::string& kind) {
  const planner::PlanReport& report = plan.report;
  if (kind == "text") return planner::to_text(report);
  if (kind == "json") return planner::to_json(report, "");
  if (kind == "svg") return arenite::picture::to_svg(report, "");
  if (kind == "html") {
    arenite::picture::PageExtras extras;
    extras.file = plan.program;
    return arenite::picture::to_html(report, "", extras);
  }
  throw InputError("kind of report: expected text, json, svg or html, found " +
                   arenite::quote(kind));
}

// For a caller who frees it with arenite_plan_free_text().
char* copy_of(const std::string& text) {
  char* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

}  // namespace

arenite_result arenite_plan_create(const char* const* words, size_t count, arenite_plan** plan) {
  arenite_result created = ARENITE_OK;
  const arenite_result result = guarded([&] {
    require(plan, "plan");
    *plan = nullptr;
    auto made = std::make_unique<arenite_plan>();
    created = create(words, count, *made);
    *plan = made.release();
  });
  return result != ARENITE_OK ? result : created;
}

void arenite_plan_free(arenite_plan* plan) { delete plan; }

const void* arenite_plan_program(const arenite_plan* plan, size_t* bytes) {
  const size_t size = plan == nullptr ? 0 : plan->result.program.size();
  if (bytes != nullptr) *bytes = size;
  return size == 0 ? nullptr : plan->result.program.data();
}

char* arenite_plan_report(const arenite_plan* plan, const char* kind) {
  char* text = nullptr;
  static_cast<void>(guarded([&] {
    require(plan, "plan");
    require(kind, "kind");
    text = copy_of(report_of(plan->result, kind));
  }));
  return text;
}

arenite_result arenite_plan_command(const char* const* words, size_t count, char** output,
                                    char** notes) {
  arenite_result ran = ARENITE_OK;
  const arenite_result result = guarded([&] {
    if (output != nullptr) *output = nullptr;
    if (notes != nullptr) *notes = nullptr;
    const std::vector<std::string> list = list_of(words, count);
    arenite::KeptOutput kept;
    const int status = tools::run_words(list);
    if (status != tools::kDone) {
      const std::string said = "'arenite " + list.front() + "' says no; its output tells why";
      ran = arenite::api::failed(last_error, ARENITE_FAILED, said.c_str());
    }
    if (output != nullptr) *output = copy_of(kept.printed);
    if (notes != nullptr) *notes = copy_of(kept.errors);
  });
  return result != ARENITE_OK ? result : ran;
}

char* arenite_plan_boards(void) {
  char* text = nullptr;
  static_cast<void>(guarded([&] {
    std::string names;
    for (const std::string& name : planner::board_names()) names += name + "\n";
    text = copy_of(names);
  }));
  return text;
}

void arenite_plan_free_text(char* text) { std::free(text); }

const char* arenite_plan_last_error(void) { return last_error.c_str(); }
// SPDX-License-Identifier: Apache-2.0
