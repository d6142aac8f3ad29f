// Maps each kind of error to an exit status.
#include "tools/arenite/errors.h"

#include <cstdio>
#include <new>
#include <string>

#include "planner/graph/obstacles.h"
#include "planner/plan.h"
#include "support/output.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/json.h"
#include "tools/run/runner.h"

namespace arenite::tools {
namespace {

struct Failure {
  std::string message;
  int status = kBadInput;
  std::string hint = {};    // for people, after the message
  std::string object = {};  // of JSON; empty: the message alone
};

int print_failure(bool json, const Failure& failure) {
  print_error("arenite", failure.message);
  std::fprintf(stderr, "%s", failure.hint.c_str());
  if (!json) return failure.status;
  try {
    print_text((failure.object.empty() ? error_json(failure.message) : failure.object) + "\n");
    finish_output();
  } catch (const OutputError&) {
    // The command has failed already, and standard error says why.
  }
  return failure.status;
}

}  // namespace

int report_errors(bool json, const std::string& next, const std::function<int()>& command) {
  const auto report = [&](bool as_json, Failure failure) {
    failure.hint = failure.hint.empty() ? next : failure.hint + "\n";
    return print_failure(as_json, failure);
  };
  try {
    const int status = command();
    finish_output();
    return status;
  } catch (const OutputError& error) {
    return error.quiet ? kFailed : report(json, {error.what(), kFailed});
  } catch (const UsageError& error) {
    return report(json, {error.what(), kBadInput, error.hint});
  } catch (const planner::ObstaclesError& error) {
    return report(json, {error.what(), kBadInput, "", error_json(error)});
  } catch (const planner::DoesNotFitError& error) {
    return report(json, {error.what(), kFailed});
  } catch (const SimulatedFault& error) {
    return report(json, {error.what(), kFailed, "", error_json(error)});
  } catch (const RunError& error) {
    return report(json, {error.what(), kFailed});
  } catch (const std::bad_alloc&) {
    return report(json, {"this machine has too little memory for it", kFailed});
  } catch (const std::logic_error& error) {
    return report(json, {std::string("a mistake of Arenite's own: ") + error.what(), kFailed});
  } catch (const std::exception& error) {  // the InputErrors
    return report(json, {error.what(), kBadInput});
  }
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
