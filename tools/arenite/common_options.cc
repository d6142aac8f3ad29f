// One function for each option: its name, its help text and what it is stored in.
#include "tools/arenite/common_options.h"

#include <unistd.h>

#include "support/file.h"
#include "support/parse_bytes.h"
#include "support/printable.h"
#include "tools/run/threads.h"

namespace arenite::tools {

void add_json(Options& options, bool& json) {
  options.add("--json", json, "Print one JSON object on standard output and nothing else");
}

void add_report(Options& options, std::string& report) {
  options
      .add("--report", report,
           "Print a report on standard output: text, json, svg (a picture of offset against time) "
           "or html (tables and pictures, for a browser)")
      .value_name("KIND")
      .one_of({"text", "json", "svg", "html"});
}

void add_output_dir(Options& options, std::string& output_dir) {
  options
      .add("--output-dir", output_dir,
           "Write each output here as NAME.npy; characters outside [A-Za-z0-9._-] become _")
      .value_name("DIR");
}

void add_device(Options& options, std::string& device) {
  options
      .add("--device", device,
           "auto (a GPU where there is one, else the CPU), cpu, vulkan (a device in software too), "
           "vulkan:INDEX or vulkan:NAME")
      .value_name("DEVICE")
      .shows_default();
}

void add_allow_fallback(Options& options, bool& allow_fallback) {
  options.add("--allow-fallback", allow_fallback,
              "Where the device named is absent or cannot take the program, run it on the CPU, or "
              "for cpu on Vulkan, instead of failing");
}

void add_threads(Options& options, std::string& threads) {
  options
      .add("--threads", threads,
           "CPU threads, or auto: as many as there are CPUs for. Results do not depend on it")
      .value_name("N|auto")
      .check(threads_problem)
      .shows_default();
}

void add_method(Options& options, std::string& method) {
  options.add("--method", method, "Method to run (default: the first)").value_name("NAME");
}

void add_assume_code(Options& options, std::string& assume_code) {
  options
      .add("--assume-code", assume_code,
           "What the code of firmware takes, 30000 or 30K (default: as an image build measured it "
           "with the board's toolchain)")
      .value_name("BYTES")
      .check([](const std::string& text) {
        const std::string problem = parse_bytes(text).problem;
        return problem.empty() ? "" : problem + ", found " + quote(text);
      });
}

std::optional<uint64_t> assumed_code_bytes(const std::string& assume_code) {
  if (assume_code.empty()) return std::nullopt;
  return parse_bytes(assume_code).bytes;
}

Option add_output(Options& options, std::string& output, const std::string& help) {
  return options.add("-o,--output", output, help);
}

void check_output(const std::string& output, bool json, const std::string& report, bool text) {
  if (!is_standard_output(output)) return;
  const std::string both = json ? "--json" : report.empty() ? "" : "--report";
  if (!both.empty()) {
    throw InputError("-o " + output + " and " + both + " would both write to standard output");
  }
  if (!text && ::isatty(STDOUT_FILENO) == 1) {
    throw InputError("-o " + output +
                     ": standard output is a terminal and a program is no text; send it to a file "
                     "or a pipe");
  }
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
