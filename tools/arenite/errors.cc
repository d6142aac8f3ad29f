// Which exit status each kind of error has.
#include "tools/arenite/errors.h"

#include <cstdio>
#include <new>
#include <string>

#include "planner/schedule/place.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/json.h"

namespace arenite::tools {
namespace {

int report(bool json, const std::string& message, int status) {
  std::fprintf(stderr, "arenite: %s\n", message.c_str());
  if (json) std::printf("%s\n", error_json(message).c_str());
  return status;
}

}  // namespace

int report_errors(bool json, const std::function<int()>& command) {
  try {
    return command();
  } catch (const planner::DoesNotFitError& error) {
    return report(json, error.what(), kFailed);
  } catch (const RunError& error) {
    return report(json, error.what(), kFailed);
  } catch (const std::bad_alloc&) {
    return report(json, "this machine has too little memory for it", kFailed);
  } catch (const std::logic_error& error) {
    return report(json, std::string("a mistake of Arenite's own: ") + error.what(), kFailed);
  } catch (const std::exception& error) {  // the InputErrors
    return report(json, error.what(), kBadInput);
  }
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
