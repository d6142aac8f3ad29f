// Compares the dims of tensor files with those of each size.
#include "tools/run/method_choice.h"

#include <algorithm>
#include <filesystem>

#include "support/printable.h"
#include "support/suggest.h"
#include "tools/run/dim_ranges.h"
#include "tools/run/inputs_error.h"
#include "tools/run/tensor_args.h"

namespace arenite::tools {
namespace {

// The name without its sizes.
std::string base_of(const std::string& method) {
  const size_t begin = method.find('[');
  return method.ends_with(']') && begin != std::string::npos ? method.substr(0, begin) : method;
}

// Such dims, or a stack of them.
bool fit(std::span<const uint32_t> found, std::span<const DimRange> wanted) {
  return lie_in(found, wanted) ||
         (found.size() == wanted.size() + 1 && lie_in(found.subspan(1), wanted));
}

// Whether a method's inputs take the files; if not, `why` gets a line. Other files than .npy say no
// dims.
bool takes(const ProgramFile& file, uint32_t method, const std::vector<std::string>& inputs,
           std::string& why) {
  for (const std::string& text : inputs) {
    const NamedFile input = parse_input(file, method, text);
    const HostTensor form = input_form(file.program(), method, input.index);
    if (std::filesystem::path(input.path).extension() != ".npy") continue;
    const HostTensor found = read_tensor(input.path, form.dtype, form.dims, nullptr);
    const std::vector<DimRange> ranges = input_ranges(file.program(), method, input.index);
    if (fit(found.dims, ranges)) continue;
    why += "; " + printable(file.method_name(method)) + ": expected " +
           describe(form.dtype, ranges) + " for " + quote(file.input_name(method, input.index)) +
           ", found " + describe(found.dtype, found.dims);
    return false;
  }
  return true;
}

}  // namespace

std::string method_for(const ProgramFile& file, const std::string& asked,
                       const std::vector<std::string>& inputs) {
  const auto count = static_cast<uint32_t>(file.program().methods().size());
  const std::string base = asked.empty() ? base_of(file.method_name(0)) : asked;
  std::vector<uint32_t> sizes;
  for (uint32_t m = 0; m < count; ++m) {
    const std::string name = file.method_name(m);
    if (name == asked) return asked;
    if (name != base && base_of(name) == base) sizes.push_back(m);
  }
  if (sizes.empty()) return asked;
  std::string why;
  for (const uint32_t m : sizes) {
    if (takes(file, m, inputs, why)) return file.method_name(m);
  }
  throw InputsError(file.name() + ": no size that was planned takes these inputs" + why);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
