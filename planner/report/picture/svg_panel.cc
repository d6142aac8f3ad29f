// Draws ground, buffers from large to small, shared bytes, names, then lines over them.
#include "planner/report/picture/svg_panel.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <vector>

#include "planner/report/picture/brief_name.h"
#include "planner/report/picture/svg_names.h"
#include "planner/report/picture/xml_text.h"

namespace arenite::picture {
namespace {

using memory::CommonBytes;
using memory::MemoryReport;
using memory::MemoryUse;
using memory::PlacedBuffer;

const planner::StepReport* step_of(const Section& section, uint32_t step) {
  const bool known = section.variant != nullptr && step < section.variant->step_list.size();
  return known ? &section.variant->step_list[step] : nullptr;
}

// Like step_text, with the short form of the name.
std::string step_label(const Section& section, uint32_t step) {
  const planner::StepReport* known = step_of(section, step);
  return "step " + std::to_string(step) +
         (known == nullptr ? "" : " (" + known->op + ", " + brief_name(known->name) + ")");
}

class Panel {
 public:
  Panel(const Section& section, const Colors& colors, uint32_t memory, const TimeAxis& time,
        double top, double height)
      : section_(section),
        report_(*section.report),
        colors_(colors),
        memory_(memory),
        use_(report_.memories[memory]),
        time_(time),
        top_(top + kPanelTitle),
        height_(height),
        bytes_(static_cast<double>(drawn_bytes(use_)) * 1.05) {}

  std::string draw() const {
    return title() + ground() + buffers() + commons() + labels() + over_limit() + marks();
  }

 private:
  double y(uint64_t offset) const {
    return top_ + height_ * (1 - static_cast<double>(offset) / bytes_);
  }

  // During a stretch of its life.
  Rectangle place_of(const PlacedBuffer& buffer, const memory::Use& use) const {
    return {time_.x(use.steps.first), y(buffer.offset + use.bytes.end),
            time_.x(uint64_t{use.steps.last} + 1), y(buffer.offset + use.bytes.begin)};
  }

  bool is_here(const PlacedBuffer& buffer) const {
    return buffer.memory == memory_ && buffer.size_bytes != 0;
  }

  std::string title() const {
    std::string text = "peak " + short_bytes(use_.peak_bytes);
    if (use_.size_bytes != memory::kUnbounded) {
      char share[16] = {};
      std::snprintf(
          share, sizeof(share), " (%.1f %%)",
          100 * static_cast<double>(use_.peak_bytes) / static_cast<double>(use_.size_bytes));
      text += " of " + short_bytes(use_.size_bytes) + share;
    }
    text += " \xC2\xB7 most live, " + short_bytes(memory::most_live(use_)) + ", at ";
    const double name_width = 9 * static_cast<double>(use_.name.size()) + 10;
    const double letters = (time_.right - time_.left - name_width) / kLetterWidth;
    const std::string step = shortened(
        step_label(section_, use_.peak_step),
        static_cast<std::size_t>(std::max(letters - static_cast<double>(text.size()), 12.0)));
    return text_at({time_.left, top_ - 9}, "class=\"memory\"", use_.name) +
           text_at({time_.left + name_width, top_ - 9}, "", text + step) +
           text_at({time_.left - 6, top_ - 9}, "text-anchor=\"end\"", "offset");
  }

  // With the step at which most bytes live, what lies beyond the limit, and the byte axis.
  std::string ground() const {
    std::string text =
        rectangle({time_.left, top_, time_.right, top_ + height_}, "class=\"plot\"", "");
    text += rectangle(
        {time_.x(use_.peak_step), top_, time_.x(uint64_t{use_.peak_step} + 1), top_ + height_},
        "class=\"most\"", "most bytes live at " + step_text(section_, use_.peak_step));
    if (use_.short_bytes() != 0) {
      text += rectangle({time_.left, top_, time_.right, y(use_.size_bytes)}, "class=\"beyond\"",
                        "beyond the limit of " + use_.name);
    }
    const auto drawn = static_cast<uint64_t>(bytes_);
    const uint64_t distance = tick_distance(drawn, std::max(height_ / 40, 1.0), true);
    for (uint64_t at = 0; at <= drawn; at += distance) {
      text += line({time_.left, y(at)}, {time_.right, y(at)}, "grid");
      text += text_at({time_.left - 6, y(at) + 4}, "text-anchor=\"end\"", short_bytes(at));
    }
    return text;
  }

  static std::string buffer_title(const PlacedBuffer& buffer) {
    return buffer.name + ": " + memory::bytes_text(buffer.size_bytes) + " at [" +
           std::to_string(buffer.offset) + ", " +
           std::to_string(buffer.offset + buffer.size_bytes) + "), steps " +
           std::to_string(buffer.lifetime.first) + " to " + std::to_string(buffer.lifetime.last);
  }

  // Large ones first, so that parts are seen on what they lie in.
  std::string buffers() const {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < report_.buffers.size(); ++i) {
      if (is_here(report_.buffers[i])) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
      return report_.buffers[a].size_bytes > report_.buffers[b].size_bytes;
    });
    std::string text, gaps;
    for (const std::size_t i : order) {
      const PlacedBuffer& buffer = report_.buffers[i];
      for (const memory::Use& use : buffer.uses) {
        text +=
            rectangle(place_of(buffer, use), "class=\"buffer\" fill=\"" + colors_.buffers[i] + "\"",
                      buffer_title(buffer));
      }
      // The parts of the buffer are drawn as one.
      const memory::Use whole{buffer.lifetime, {0, buffer.size_bytes}};
      if (buffer.has_gaps()) gaps += rectangle(place_of(buffer, whole), "class=\"gap\"", "");
    }
    return text + gaps;
  }

  Rectangle place_of(const CommonBytes& common) const {
    const PlacedBuffer& owner = report_.buffers[common.owner];
    const PlacedBuffer& guest = report_.buffers[common.guest];
    return {time_.x(std::max(owner.lifetime.first, guest.lifetime.first)),
            y(common.offset + common.bytes),
            time_.x(uint64_t{std::min(owner.lifetime.last, guest.lifetime.last)} + 1),
            y(common.offset)};
  }

  // planner/report/picture/page/why.js says the same.
  const char* how(const CommonBytes& common) const {
    const PlacedBuffer& owner = report_.buffers[common.owner];
    const PlacedBuffer& guest = report_.buffers[common.guest];
    if (common.why == memory::CommonWhy::kPart) return " is a part of ";
    const planner::StepReport* step = step_of(section_, guest.lifetime.first);
    const bool serial = step == nullptr ? owner.size_bytes != guest.size_bytes : step->serial;
    return owner.offset == guest.offset && !serial ? " overwrites in place "
                                                   : " follows the reads of ";
  }

  // Both colors seen through each other, and hatched, for as long as both live.
  std::string commons() const {
    std::string text;
    for (const CommonBytes& common : report_.common) {
      const PlacedBuffer& owner = report_.buffers[common.owner];
      const PlacedBuffer& guest = report_.buffers[common.guest];
      if (!is_here(owner)) continue;
      const Rectangle at = place_of(common);
      text += rectangle(at, "fill=\"" + colors_.buffers[common.owner] + "\"", "");
      text +=
          rectangle(at, "fill=\"" + colors_.buffers[common.guest] + "\" fill-opacity=\"0.5\"", "");
      text += rectangle(at, "class=\"common\" fill=\"url(#hatch)\"",
                        memory::bytes_text(common.bytes) + " in common: " + guest.name +
                            how(common) + owner.name);
    }
    return text;
  }

  // "4 KiB · [1, 16, 8, 8]"
  std::string details(std::size_t buffer) const {
    std::string size = short_bytes(report_.buffers[buffer].size_bytes);
    if (section_.variant == nullptr) return size;
    return size + " \xC2\xB7 " + section_.variant->tensors[buffer].shape;
  }

  // Each name where its buffer shares bytes with no other.
  std::string labels() const {
    std::vector<std::vector<std::size_t>> commons(report_.buffers.size());
    for (std::size_t i = 0; i < report_.common.size(); ++i) {
      commons[report_.common[i].owner].push_back(i);
      commons[report_.common[i].guest].push_back(i);
    }
    std::string text;
    for (std::size_t i = 0; i < report_.buffers.size(); ++i) {
      const PlacedBuffer& buffer = report_.buffers[i];
      if (!is_here(buffer)) continue;
      for (const memory::Use& use : buffer.uses) {
        Rectangle room = place_of(buffer, use);
        for (const std::size_t c : commons[i]) room = beside(room, place_of(report_.common[c]));
        text += name_svg(room, brief_name(buffer.name), details(i));
      }
    }
    return text;
  }

  // Marks buffers that do not fit.
  std::string over_limit() const {
    if (use_.short_bytes() == 0) return "";
    std::string text;
    for (const PlacedBuffer& buffer : report_.buffers) {
      if (!is_here(buffer) || buffer.offset + buffer.size_bytes <= use_.size_bytes) continue;
      for (const memory::Use& use : buffer.uses) {
        text += rectangle(place_of(buffer, use), "class=\"over\"", buffer_title(buffer));
      }
    }
    return text;
  }

  struct Mark {
    std::string name, kind;
    uint64_t bytes = 0;
  };

  // Lines across the panel; their names in the margin are pushed apart where they are close.
  std::string marks() const {
    std::vector<Mark> marks;
    if (use_.peak_bytes == use_.lower_bound_bytes) {
      marks.push_back({"peak = bound", "peak", use_.peak_bytes});
    } else {
      marks.push_back({"peak", "peak", use_.peak_bytes});
      marks.push_back({"bound", "bound", use_.lower_bound_bytes});
    }
    if (use_.size_bytes != memory::kUnbounded) marks.push_back({"limit", "limit", use_.size_bytes});
    std::stable_sort(marks.begin(), marks.end(),
                     [](const Mark& a, const Mark& b) { return a.bytes > b.bytes; });
    std::string text;
    double free = -std::numeric_limits<double>::infinity();
    for (const Mark& mark : marks) {
      const bool above = static_cast<double>(mark.bytes) > bytes_;
      const double at = above ? top_ - 4 : y(mark.bytes);
      if (!above) text += line({time_.left, at}, {time_.right + 6, at}, mark.kind);
      const double label = std::max(at + 4, free);
      text += text_at({time_.right + 9, label}, "class=\"mark " + mark.kind + "\"",
                      (above ? "\xE2\x86\x91 " : "") + mark.name);
      text += text_at({time_.right + 9, label + 12}, "", short_bytes(mark.bytes));
      free = label + 27;
    }
    return text;
  }

  const Section& section_;
  const MemoryReport& report_;
  const Colors& colors_;
  const uint32_t memory_;
  const MemoryUse& use_;
  const TimeAxis& time_;
  const double top_;  // of the plot
  const double height_;
  const double bytes_;  // that the plot is high
};

}  // namespace

uint64_t drawn_bytes(const MemoryUse& use) {
  const uint64_t least = std::max<uint64_t>({use.peak_bytes, use.lower_bound_bytes, 1});
  const bool near = use.size_bytes / 17 <= least / 10;
  return near ? std::max(least, use.size_bytes) : least;
}

std::string panel_svg(const Section& section, const Colors& colors, uint32_t memory,
                      const TimeAxis& time, double top, double height) {
  return Panel(section, colors, memory, time, top, height).draw();
}

std::string step_text(const Section& section, uint32_t step) {
  const planner::StepReport* known = step_of(section, step);
  return "step " + std::to_string(step) +
         (known == nullptr ? "" : " (" + known->op + ", " + known->name + ")");
}

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0
