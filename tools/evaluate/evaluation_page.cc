// Writes the summary, the confusion of each program, and cards of samples: those first in which
// programs differ, then those that are wrong.
#include "tools/evaluate/evaluation_page.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "planner/report/picture/xml_text.h"

namespace arenite::tools {
namespace {

using picture::xml_text;

constexpr size_t kCardsMax = 200;
constexpr size_t kMatrixClassesMax = 40;  // more are a list of the most frequent mistakes
constexpr size_t kMistakesMax = 30;
constexpr size_t kNameLetters = 24;  // of a program, on a card

constexpr char kStyle[] =
    "<style>\n"
    ":root{color-scheme:light dark;--ink:#1b1f24;--muted:#5b6572;--line:#dde2e8;--ground:#fff;"
    "--right:37,99,201;--wrong:201,80,37;--good:#1d7a3e;--bad:#b3401b}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--muted:#98a4b3;--line:#2b333e;"
    "--ground:#151a21;--right:106,166,255;--wrong:240,130,75;--good:#5fc98a;--bad:#f08a5d}}\n"
    "body{margin:24px;background:var(--ground);color:var(--ink);"
    "font:14px/1.45 system-ui,sans-serif;overflow-wrap:anywhere}\n"
    "h1{font-size:20px}h2{font-size:16px;margin:28px 0 6px}p{color:var(--muted);margin:0 0 8px}\n"
    ".wide{overflow-x:auto;max-width:100%}table{border-collapse:collapse}td,th{white-space:nowrap}"
    "th,td{padding:3px 8px;text-align:right;border-bottom:1px solid var(--line)}"
    "th{font-weight:600;color:var(--muted)}.name{text-align:left}\n"
    ".matrices{display:flex;flex-wrap:wrap;gap:0 32px}.matrices>*{max-width:100%}"
    ".matrix td{min-width:22px;text-align:center;padding:2px}.matrix td:last-child{padding:2px 8px}"
    ".matrix th.column{writing-mode:vertical-rl;transform:rotate(180deg);text-align:left}\n"
    ".cards{display:grid;gap:12px;grid-template-columns:repeat(auto-fill,minmax(190px,1fr))}\n"
    ".card{border:1px solid var(--line);border-radius:6px;padding:8px;font-size:12px}"
    ".card img,.card .none{display:block;height:112px;max-width:100%;margin:0 auto 6px;"
    "object-fit:contain;image-rendering:pixelated}"
    ".card .none{color:var(--muted);text-align:center;line-height:112px}"
    ".card b{font-weight:600}.muted{color:var(--muted)}.good{color:var(--good)}"
    ".bad{color:var(--bad)}\n"
    "</style>\n";

std::string percent(uint64_t part, uint64_t whole) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f %%",
                whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole));
  return text;
}

std::string three_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

std::string base64(const std::vector<std::byte>& bytes) {
  constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t at = 0; at < bytes.size(); at += 3) {
    uint32_t word = 0;
    for (size_t i = 0; i < 3; ++i) {
      word = word << 8 | (at + i < bytes.size() ? static_cast<uint32_t>(bytes[at + i]) : 0);
    }
    for (size_t i = 0; i < 4; ++i) {
      text += at + i <= bytes.size() ? kLetters[word >> (18 - 6 * i) & 63] : '=';
    }
  }
  return text;
}

// "star", or the index where an output has more elements than there are classes.
std::string class_text(const Evaluation& evaluation, uint64_t index) {
  const std::vector<std::string>& classes = evaluation.data.classes;
  return xml_text(index < classes.size() ? classes[index] : std::to_string(index));
}

std::string summary(const Evaluation& evaluation, uint64_t top) {
  const uint64_t samples = evaluation.data.samples.size();
  std::string text =
      "<div class=\"wide\"><table>\n<tr><th class=\"name\">program</th><th>top 1</th><th>right</th>"
      "<th>top " +
      std::to_string(top) +
      "</th><th>median ms</th><th>p95 ms</th><th class=\"name\">on</th></tr>\n";
  for (const EvaluatedProgram& program : evaluation.programs) {
    const uint64_t right = program.right(1);
    text += "<tr><td class=\"name\">" + xml_text(program.program) + "</td><td>" +
            percent(right, samples) + "</td><td>" + std::to_string(right) + " of " +
            std::to_string(samples) + "</td><td>" + percent(program.right(top), samples) +
            "</td><td>" + three_digits(program.times.median_ms) + "</td><td>" +
            three_digits(program.times.p95_ms) + "</td><td class=\"name\">" +
            xml_text(program.info.device_name + ", variant for board " + program.info.board) +
            (program.quantized ? "; inputs quantized from floats" : "") + "</td></tr>\n";
  }
  return text + "</table></div>\n";
}

std::string matrix(const Evaluation& evaluation, const EvaluatedProgram& program) {
  const auto counts = evaluation.confusion(program);
  const std::vector<ClassCounts> classes = evaluation.class_counts(program);
  std::string text = "<div class=\"wide\"><table class=\"matrix\">\n<tr><th></th>";
  for (uint64_t c = 0; c < program.classes; ++c) {
    text += "<th class=\"column\">" + class_text(evaluation, c) + "</th>";
  }
  text += "<th>right</th></tr>\n";
  for (uint64_t label = 0; label < evaluation.data.classes.size(); ++label) {
    text += "<tr><th>" + class_text(evaluation, label) + "</th>";
    for (uint64_t found = 0; found < program.classes; ++found) {
      const auto count = counts.find({label, found});
      if (count == counts.end()) {
        text += "<td></td>";
        continue;
      }
      const double share =
          static_cast<double>(count->second) / static_cast<double>(classes[label].labeled);
      char color[64];
      std::snprintf(color, sizeof color, "rgba(var(--%s),%.2f)", label == found ? "right" : "wrong",
                    0.12 + 0.5 * std::sqrt(share));
      text += "<td style=\"background:" + std::string(color) + "\" title=\"" +
              class_text(evaluation, label) + ", found " + class_text(evaluation, found) + ": " +
              std::to_string(count->second) + "\">" + std::to_string(count->second) + "</td>";
    }
    text += "<td>" +
            (classes[label].labeled == 0 ? std::string("no sample")
                                         : percent(classes[label].right, classes[label].labeled)) +
            "</td></tr>\n";
  }
  return text + "</table></div>\n";
}

std::string mistakes(const Evaluation& evaluation, const EvaluatedProgram& program) {
  std::vector<std::pair<uint64_t, std::pair<uint64_t, uint64_t>>> sorted;
  for (const auto& [pair, count] : evaluation.confusion(program)) {
    if (pair.first != pair.second) sorted.emplace_back(count, pair);
  }
  std::ranges::stable_sort(sorted, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text = "<p>" + std::to_string(sorted.size()) +
                     " pairs of classes are confused; the most frequent:</p><table>\n"
                     "<tr><th class=\"name\">class</th><th class=\"name\">found</th>"
                     "<th>samples</th></tr>\n";
  for (size_t i = 0; i < std::min(sorted.size(), kMistakesMax); ++i) {
    const auto& [count, pair] = sorted[i];
    text += "<tr><td class=\"name\">" + class_text(evaluation, pair.first) +
            "</td><td class=\"name\">" + class_text(evaluation, pair.second) + "</td><td>" +
            std::to_string(count) + "</td></tr>\n";
  }
  return text + "</table>\n";
}

class Cards {
 public:
  Cards(const Evaluation& evaluation, const PictureOf& picture)
      : evaluation_(evaluation), picture_(picture) {}

  std::string of(const std::string& title, const std::vector<size_t>& samples) {
    if (samples.empty()) return "";
    const size_t shown = std::min(samples.size(), kCardsMax);
    std::string text = "<h2>" + title + ": " + std::to_string(samples.size()) + "</h2>\n";
    if (shown < samples.size()) {
      text += "<p>The first " + std::to_string(shown) + "; --json has all.</p>\n";
    }
    text += "<div class=\"cards\">\n";
    for (size_t i = 0; i < shown; ++i) text += card(samples[i]);
    return text + "</div>\n";
  }

 private:
  std::string card(size_t at) const {
    const LabeledSample& sample = evaluation_.data.samples[at];
    size_t part = 0;
    while (part < at && evaluation_.data.samples[at - part - 1].file == sample.file) ++part;
    const std::vector<std::byte> png = picture_(sample, part);
    std::string text = "<div class=\"card\">";
    text += png.empty() ? "<span class=\"none\">no picture</span>"
                        : "<img alt=\"" + xml_text(sample.name) +
                              "\" src=\"data:image/png;base64," + base64(png) + "\">";
    text += "<div class=\"muted\">" + xml_text(sample.name) + "</div><div>label <b>" +
            class_text(evaluation_, sample.label) + "</b></div>";
    for (const EvaluatedProgram& program : evaluation_.programs) {
      const Answer& answer = program.answers[at];
      const bool right = answer.found == sample.label;
      text += "<div class=\"" + std::string(right ? "good" : "bad") + "\">" +
              (evaluation_.programs.size() > 1
                   ? xml_text(picture::shortened(program.program, kNameLetters)) + ": "
                   : "") +
              "<b>" + class_text(evaluation_, answer.found) + "</b> " + three_digits(answer.score);
      if (!right) text += "; the label " + three_digits(answer.label_score);
      text += "</div>";
    }
    return text + "</div>\n";
  }

  const Evaluation& evaluation_;
  const PictureOf& picture_;
};

}  // namespace

std::string evaluation_page(const Evaluation& evaluation, uint64_t top, const PictureOf& picture) {
  std::string title;
  for (const EvaluatedProgram& program : evaluation.programs) {
    title += (title.empty() ? "" : " and ") + program.program;
  }
  title += " on " + std::to_string(evaluation.data.samples.size()) + " samples";
  std::string page =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" +
      xml_text(title) + "</title>\n" + kStyle + "</head>\n<body>\n<h1>" + xml_text(title) +
      "</h1>\n<p>" + std::to_string(evaluation.data.classes.size()) +
      " classes: " + xml_text(evaluation.data.classes_by) + "</p>\n" + summary(evaluation, top);
  std::vector<size_t> differing, wrong;
  for (size_t i = 0; i < evaluation.data.samples.size(); ++i) {
    const uint64_t label = evaluation.data.samples[i].label;
    if (evaluation.differs(i)) {
      differing.push_back(i);
    } else if (evaluation.programs[0].answers[i].found != label) {
      wrong.push_back(i);
    }
  }
  Cards cards(evaluation, picture);
  page += cards.of("Samples in which the programs differ", differing);
  page += "<div class=\"matrices\">\n";
  for (const EvaluatedProgram& program : evaluation.programs) {
    page += "<section><h2>Confusion" +
            (evaluation.programs.size() > 1 ? " of " + xml_text(program.program) : std::string()) +
            "</h2>\n<p>Rows are labels, columns what was found.</p>\n" +
            (program.classes <= kMatrixClassesMax ? matrix(evaluation, program)
                                                  : mistakes(evaluation, program)) +
            "</section>\n";
  }
  page += "</div>\n";
  page += cards.of(evaluation.programs.size() > 1 ? "Samples in which all find the same wrong class"
                                                  : "Samples that are wrong",
                   wrong);
  return page + "</body>\n</html>\n";
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
