// Options that several commands have.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tools/arenite/options.h"

namespace arenite::tools {

void add_json(Options& options, bool& json);
// "", "text", "json", "svg" or "html".
void add_report(Options& options, std::string& report);
void add_output_dir(Options& options, std::string& output_dir);
void add_device(Options& options, std::string& device);
void add_allow_fallback(Options& options, bool& allow_fallback);
// For parse_threads().
void add_threads(Options& options, std::string& threads);
void add_method(Options& options, std::string& method);
// For assumed_code_bytes().
void add_assume_code(Options& options, std::string& assume_code);
Option add_output(Options& options, std::string& output, const std::string& help);

// "" is nothing.
std::optional<uint64_t> assumed_code_bytes(const std::string& assume_code);

// Refuses an output that would meet what --json or --report print. `text` is whether people can
// read what is written; the rest is kept off terminals. Throws InputError.
void check_output(const std::string& output, bool json, const std::string& report, bool text);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
