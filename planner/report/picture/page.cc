// Fills the blanks of the page's template: title, facts and data.
#include "planner/report/picture/page.h"

#include "planner/report/picture/page_data.h"
#include "planner/report/picture/page_parts.h"
#include "planner/report/picture/xml_text.h"

namespace arenite::picture {

namespace {

std::string facts_html(const Heading& heading) {
  std::string text;
  for (const std::string& fact : heading.facts) {
    text += "<p class=\"fact\">" + xml_text(fact) + "</p>\n";
  }
  for (const Warning& warning : heading.warnings) {
    text += "<div class=\"warning\" role=\"alert\"><p>" + xml_text(warning.text) + "</p>";
    if (!warning.advice.empty()) text += "<ul>";
    for (const std::string& line : warning.advice) text += "<li>" + xml_text(line) + "</li>";
    text += warning.advice.empty() ? "</div>\n" : "</ul></div>\n";
  }
  return text;
}

}  // namespace

std::string to_html(const Heading& heading, std::span<const Section> sections) {
  std::string page;
  for (const PagePart& part : page_parts()) {
    page += part.text;
    switch (part.blank) {
      case Blank::kTitle:
        page += xml_text(heading.title);
        break;
      case Blank::kFacts:
        page += facts_html(heading);
        break;
      case Blank::kData:
        page += page_data(heading, sections);
        break;
      case Blank::kNone:
        break;
    }
  }
  return page;
}

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0
