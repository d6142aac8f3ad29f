// ci_time compiles this file to learn how fast a machine is. A change to it changes every baseline.
#include <algorithm>
#include <map>
#include <regex>
#include <string>
#include <vector>

std::map<std::string, std::vector<std::string>> words_by_letter(const std::string& text) {
  std::map<std::string, std::vector<std::string>> words;
  const std::regex word("[a-z]+");
  for (std::sregex_iterator at(text.begin(), text.end(), word), end; at != end; ++at) {
    words[at->str().substr(0, 1)].push_back(at->str());
  }
  for (auto& [letter, all] : words) std::sort(all.begin(), all.end());
  return words;
}
// SPDX-License-Identifier: Apache-2.0
