// Opens the shared object beside this program, once.
#include "tools/simulate/load_watched_forms.h"

#include <dlfcn.h>

#include "support/own_data.h"
#include "tools/run/runner.h"

namespace arenite::tools {
namespace {

constexpr char kFile[] = "lib/arenite/watched_forms.so";

}  // namespace

bool has_watched_forms() { return !find_own_data(kFile).empty(); }

WatchedForms load_watched_forms() {
  const std::filesystem::path path = find_own_data(kFile);
  if (path.empty()) {
    throw RunError(std::string("accesses cannot be counted: ") + kFile +
                   " is missing, expected it where Arenite is installed");
  }
  void* object = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* symbol = object == nullptr ? nullptr : dlsym(object, kWatchedFormsSymbol);
  if (symbol == nullptr) throw RunError(path.string() + ": cannot be opened: " + dlerror());
  WatchedForms forms;
  reinterpret_cast<WatchedFormsFunction>(symbol)(forms);
  return forms;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
