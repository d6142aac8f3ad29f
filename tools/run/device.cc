// Reads `--device`.
#include "tools/run/device.h"

#include <cstdlib>
#include <cstring>

#include "support/errors.h"
#include "support/printable.h"
#include "support/suggest.h"
#include "support/word_errors.h"
#include "tools/run/pipeline_cache_file.h"

namespace arenite::tools {

DeviceChoice parse_device(const std::string& text, bool allow_fallback) {
  constexpr char kVulkan[] = "vulkan";
  constexpr size_t kNameAt = sizeof kVulkan;  // after "vulkan:"
  DeviceChoice choice;
  choice.text = text;
  choice.allow_fallback = allow_fallback;
  if (text == "auto") return choice;
  if (text == "cpu") {
    choice.kind = DeviceKind::kCpu;
    return choice;
  }
  if (text == kVulkan || (text.starts_with("vulkan:") && text.size() > kNameAt)) {
    choice.kind = DeviceKind::kVulkan;
    if (text.size() > kNameAt) choice.vulkan_device = text.substr(kNameAt);
    return choice;
  }
  const std::vector<std::string> names = {"auto", "cpu", "vulkan"};
  throw PlaceError("--device: expected auto, cpu, vulkan, vulkan:N or vulkan:NAME, found " +
                       quote(text) + did_you_mean(text, names),
                   text, nearest(text, names) != nullptr ? names : std::vector{names.front()});
}

VulkanHostOptions vulkan_options(const DeviceChoice& device, const std::string& pipeline_cache) {
  VulkanHostOptions options;
  options.device = device.vulkan_device;
  options.software = device.kind != DeviceKind::kAuto;
  if (!pipeline_cache.empty()) check_pipeline_cache(pipeline_cache);
  options.pipeline_cache = pipeline_cache;
  const char* validation = std::getenv("ARENITE_VK_VALIDATION");
  options.validation = validation != nullptr && std::strcmp(validation, "1") == 0;
  return options;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
