#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "text_rows.hpp"
#include "words.hpp"

/// LAMMPS dump text: frames of sections that begin with "ITEM:". https://docs.lammps.org/dump.html

namespace abut::cli {
namespace {

constexpr std::string_view frame_start = "ITEM: TIMESTEP";

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < line.size();) {
    while (at < line.size() && is_space(line[at])) ++at;
    const std::size_t start = at;
    while (at < line.size() && !is_space(line[at])) ++at;
    if (at > start) words.emplace_back(line.substr(start, at - start));
  }
  return words;
}

struct frame_text {
  std::string_view text;
  std::size_t line = 1;    ///< where it begins in the file
  std::size_t frames = 0;  ///< how many the file holds
};

/// A dump grows at its end, so the last frame is the present state.
frame_text last_frame(std::string_view text) {
  frame_text last{text, 1, 0};
  for (std::size_t at = text.find(frame_start); at != std::string_view::npos; at = text.find(frame_start, at + 1)) {
    if (at != 0 && text[at - 1] != '\n') continue;
    ++last.frames;
    if (last.frames > 1) last.text = text.substr(at);
  }
  const std::size_t before = text.size() - last.text.size();
  last.line += static_cast<std::size_t>(std::count(text.data(), text.data() + before, '\n'));
  return last;
}

class frame_reader {
 public:
  frame_reader(const std::string& path, const frame_text& frame, const reading& progress)
      : path_(path), text_(frame.text), line_(frame.line), progress_(progress) {}

  bodies_file read() {
    while (true) {
      const std::string_view head = next_line("an ITEM: ATOMS section");
      if (starts(head, "ITEM: ATOMS")) return read_atoms(words_of(head.substr(11)));
      if (starts(head, "ITEM: TIMESTEP")) {
        timestep_ = words_of(next_line("the timestep")).at(0);
      } else if (starts(head, "ITEM: NUMBER OF ATOMS")) {
        atoms_ = read_count(next_line("the number of atoms"));
        counted_ = true;
      } else if (starts(head, "ITEM: BOX BOUNDS")) {
        read_box(head.substr(16));
      } else if (starts(head, "ITEM:")) {
        next_line("the section's value");  // ITEM: UNITS, ITEM: TIME
      } else {
        throw error(fmt::format("{}: {} where a section (ITEM: ...) should begin", place(), in_quotes(head)));
      }
    }
  }

  [[nodiscard]] const std::string& timestep() const { return timestep_; }

 private:
  static bool starts(std::string_view line, std::string_view with) { return line.substr(0, with.size()) == with; }

  /// Of the line that was read last.
  [[nodiscard]] std::string place() const { return fmt::format("{}:{}", path_, line_ - 1); }

  std::string_view next_line(std::string_view wanted) {
    // A line of spaces is no value, so what follows may count on a first word.
    while (at_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      std::string_view line = text_.substr(at_, end - at_);
      at_ = std::min(end + 1, text_.size());
      ++line_;
      if (std::all_of(line.begin(), line.end(), is_space)) continue;
      while (is_space(line.back())) line.remove_suffix(1);
      return line;
    }
    throw error(fmt::format("{}:{}: the file ends before {}; it may be cut short", path_, line_, wanted));
  }

  std::uint64_t read_count(std::string_view line) {
    std::uint64_t count = 0;
    const auto [end, problem] = std::from_chars(line.data(), line.data() + line.size(), count);
    if (problem == std::errc() && end == line.data() + line.size()) return count;
    throw error(fmt::format("{}: {} is no number of atoms", place(), in_quotes(line)));
  }

  void read_box(std::string_view flags) {
    // Three more words (xy xz yz) before the boundary flags, or "abc origin", mark a box that is not a brick.
    const std::vector<std::string> marks = words_of(flags);
    const std::string head = place();
    const bool triclinic = !marks.empty() && (marks[0] == "xy" || marks[0] == "abc");
    for (const char axis : {'x', 'y', 'z'}) {
      const std::vector<std::string> ends = words_of(next_line("the bounds of the box"));
      if (triclinic) continue;
      const auto min = ends.empty() ? std::nullopt : to_number(ends[0]);
      const auto max = ends.size() != 2 ? std::nullopt : to_number(ends[1]);
      if (!min || !max) throw error(fmt::format("{}: the box's bounds on {} are not two numbers", place(), axis));
      domain_.push_back({*min, *max});
    }
    if (triclinic) no_domain_ = fmt::format("{}: its box is triclinic, which abut cannot repeat", head);
  }

  bodies_file read_atoms(const std::vector<std::string>& header) {
    if (!counted_) throw error(fmt::format("{}: ITEM: NUMBER OF ATOMS is missing before the atoms", place()));
    const bool flat = find_column(place(), header, "z") < 0;
    target_.assign(header.size(), -1);
    int columns = 0;
    for (const std::string_view name : {"x", "y", "z", "radius"}) {
      if (flat && name == "z") continue;
      const int field = find_column(place(), header, name);
      if (field < 0) refuse_missing(header, name);
      target_[static_cast<std::size_t>(field)] = columns++;
    }
    text_columns numbers;
    numbers.columns.resize(static_cast<std::size_t>(columns));
    // The count is a promise: what the file cannot hold (two bytes a field at least) is not reserved.
    const std::uint64_t bearable = (text_.size() - at_) / (2 * header.size()) + 1;
    for (auto& column : numbers.columns) column.reserve(std::min(atoms_, bearable));
    for (std::uint64_t r = 0; r < atoms_; ++r) {
      read_atom(header, r, numbers);
      if (r % 65536 == 65535) progress_("parsing", static_cast<double>(at_) / static_cast<double>(text_.size()));
    }
    refuse_rest();
    bodies_file file = to_bodies(path_, shape::sphere, flat ? 2 : 3, std::move(numbers));
    file.domain = domain_;
    if (flat && file.domain.size() == 3) file.domain.pop_back();
    file.no_domain = no_domain_;
    return file;
  }

  [[noreturn]] void refuse_missing(const std::vector<std::string>& header, std::string_view name) const {
    for (const std::string_view other : {"s", "u", "su"}) {
      if (std::find(header.begin(), header.end(), std::string(name) + std::string(other)) == header.end()) continue;
      throw error(fmt::format("{}: missing column {}; the dump has {}{}, scaled or unwrapped: dump x y z radius",
                              place(), name, name, other));
    }
    refuse_missing_column(place(), header, name);
  }

  void read_atom(const std::vector<std::string>& header, std::uint64_t r, text_columns& out) {
    const std::size_t width = header.size();
    const char* at = text_.data() + at_;
    const char* const end = text_.data() + text_.size();
    const auto skip_spaces = [&] {
      while (at != end && is_space(*at)) ++at;
    };
    skip_spaces();
    if (at == end || *at == '\n' || starts({at, end}, "ITEM:")) {
      throw error(
          fmt::format("{}:{}: the frame ends after {} of {} atoms; it may be cut short", path_, line_, r, atoms_));
    }
    out.lines.begin_row(r, line_);
    std::array<double, 4> values{};
    for (std::size_t f = 0; f < width; ++f, skip_spaces()) {
      if (at == end || *at == '\n') {
        throw error(fmt::format("{}:{}: row {} has {} of {} columns, none for {}; the file may be cut short", path_,
                                line_, r, f, width, in_quotes(header[f])));
      }
      const char* const start = at;
      double value = 0;
      const bool read = target_[f] < 0 || take_number(at, end, value);
      const char* const after = at;
      while (at != end && !is_space(*at) && *at != '\n') ++at;
      if (target_[f] < 0) continue;
      if (!read || after != at) refuse_number({path_, line_, r, header[f]}, {start, at});
      values[static_cast<std::size_t>(target_[f])] = value;
    }
    if (at != end && *at != '\n') {
      throw error(fmt::format("{}:{}: row {} has more columns than the {} of its header", path_, line_, r, width));
    }
    if (at != end) ++at;
    ++line_;
    at_ = static_cast<std::size_t>(at - text_.data());
    for (std::size_t k = 0; k < out.columns.size(); ++k) out.columns[k].push_back(values[k]);
  }

  void refuse_rest() {
    const std::size_t rest = text_.find_first_not_of(" \t\r\n", at_);
    if (rest == std::string_view::npos) return;
    line_ += static_cast<std::size_t>(std::count(text_.data() + at_, text_.data() + rest, '\n'));
    throw error(fmt::format("{}:{}: more lines than the {} atoms that the frame promises", path_, line_, atoms_));
  }

  const std::string& path_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_;  ///< of the next line
  const reading& progress_;
  std::uint64_t atoms_ = 0;
  bool counted_ = false;
  std::string timestep_ = "?";
  std::vector<int> target_;
  std::vector<interval> domain_;
  std::string no_domain_;
};

}  // namespace

bodies_file read_lammps(const std::string& path, std::string_view text, const reading& progress) {
  const frame_text frame = last_frame(text);
  frame_reader reader(path, frame, progress);
  bodies_file file = reader.read();
  if (frame.frames > 1) {
    file.note = fmt::format("the last of {} frames, timestep {}", with_commas(frame.frames), reader.timestep());
  }
  return file;
}

}  // namespace abut::cli
