#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "files/text_rows.hpp"
#include "screen/words.hpp"

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
  std::size_t frames = 0;  ///< the number of frames in the file
};

/// The last frame, which is the current state, because dumps grow at the end.
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
  frame_reader(const std::string& path, const frame_text& frame, const columns_request& wanted, const reading& progress)
      : path_(path), text_(frame.text), line_(frame.line), wanted_(wanted), progress_(progress) {}

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

  /// The place of the line that was read last.
  [[nodiscard]] std::string place() const { return fmt::format("{}:{}", path_, line_ - 1); }

  std::string_view next_line(std::string_view wanted) {
    // Lines of spaces are skipped, so every line has at least one word.
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
    throw error(fmt::format("{}: {} is not a number of atoms", place(), in_quotes(line)));
  }

  /// "xy xz yz pp pp ff": three words if the box is tilted, then whether each axis repeats. Old dumps have no flags.
  void read_box(std::string_view head) {
    const std::string here = place();
    std::vector<std::string> flags = words_of(head);
    const bool general = !flags.empty() && flags[0] == "abc";
    const bool triclinic = !flags.empty() && flags[0] == "xy";
    const auto before = std::min<std::ptrdiff_t>(std::ssize(flags), triclinic ? 3 : general ? 2 : 0);
    flags.erase(flags.begin(), flags.begin() + before);
    bool tilted = general;
    domain_.clear();
    no_domain_.clear();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      repeats_[axis] = axis < flags.size() && flags[axis] == "pp";
      const std::string_view line = next_line("the bounds of the box");
      if (general) continue;
      const std::vector<double> bounds = read_bounds(line, axis, triclinic ? 3 : 2);
      tilted = tilted || (triclinic && bounds[2] != 0);
      domain_.push_back({bounds[0], bounds[1]});
      if (!repeats_[axis] || (std::isfinite(bounds[1] - bounds[0]) && bounds[0] < bounds[1])) continue;
      no_domain_ = fmt::format("{}: its box goes from {} to {} on {}, which cannot repeat", here, bounds[0], bounds[1],
                               "xyz"[axis]);
    }
    // A triclinic box without tilt is an ordinary one.
    if (tilted) no_domain_ = fmt::format("{}: its box is triclinic, which abut cannot repeat", here);
    if (!no_domain_.empty()) domain_.clear();
  }

  std::vector<double> read_bounds(std::string_view line, std::size_t axis, std::size_t wanted) {
    std::vector<double> bounds;
    for (const std::string& word : words_of(line)) {
      if (const auto number = to_number(word)) bounds.push_back(*number);
    }
    if (bounds.size() == wanted && words_of(line).size() == wanted) return bounds;
    throw error(fmt::format("{}: the box's bounds on {} are not {} numbers: {}", place(), "xyz"[axis],
                            wanted == 3 ? "three" : "two", in_quotes(line)));
  }

  bodies_file read_atoms(const std::vector<std::string>& header) {
    if (!counted_) throw error(fmt::format("{}: ITEM: NUMBER OF ATOMS is missing before the atoms", place()));
    const std::string head = place();
    const body_layout layout = lay_out(head, header, wanted_, naming::dump);
    target_ = layout.targets(header.size());
    text_columns numbers;
    numbers.columns.resize(layout.fields.size());
    // The count can be wrong, so reserve no more than the file can hold, at two bytes per field.
    const std::uint64_t most = (text_.size() - at_) / (2 * header.size()) + 1;
    for (auto& column : numbers.columns) column.reserve(std::min(atoms_, most));
    for (std::uint64_t r = 0; r < atoms_; ++r) {
      read_atom(header, r, numbers);
      if (r % 65536 == 65535) progress_("parsing", static_cast<double>(at_) / static_cast<double>(text_.size()));
    }
    refuse_rest();
    unscale(head, layout, numbers);
    if (layout.kind == shape::sphere && layout.dimension == 3) drop_flat_period(numbers.columns[2]);
    bodies_file file = to_bodies(path_, layout, std::move(numbers));
    file.domain = domain_;
    if (file.dimension == 2 && file.domain.size() == 3) file.domain.pop_back();
    file.no_domain = no_domain_;
    file.repeats = repeats_;
    if (file.dimension == 2) file.repeats[2] = false;
    return file;
  }

  /// Converts scaled coordinates, which are fractions of the box's sides.
  void unscale(const std::string& head, const body_layout& layout, text_columns& numbers) const {
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(layout.dimension); ++axis) {
      if (!layout.scaled[axis]) continue;
      if (domain_.empty()) {
        throw error(fmt::format("{}: {} is a fraction of the side of the box, which is {}; dump x y z", head,
                                layout.names[axis], no_domain_.empty() ? "missing" : "unusable"));
      }
      const auto [min, max] = domain_[axis];
      for (double& x : numbers.columns[axis]) x = min + x * (max - min);
    }
  }

  /// LAMMPS makes 2D simulations periodic in z, in a box of any height, with all atoms at the same z.
  void drop_flat_period(const std::vector<double>& z) {
    const auto differs = [&](double one) { return one != z[0]; };
    if (std::none_of(z.begin(), z.end(), differs)) repeats_[2] = false;
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
    std::array<double, 6> values{};
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
      if (target_[f] == body_layout::for_id) out.ids.push_back(to_id({path_, line_, r, "id"}, {start, at}));
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
  const columns_request& wanted_;
  const reading& progress_;
  std::uint64_t atoms_ = 0;
  bool counted_ = false;
  std::string timestep_ = "?";
  std::vector<int> target_;
  std::vector<interval> domain_;
  std::string no_domain_;
  std::array<bool, 3> repeats_{};
};

}  // namespace

bodies_file read_lammps(const std::string& path, std::string_view text, const columns_request& wanted,
                        const reading& progress) {
  const frame_text frame = last_frame(text);
  frame_reader reader(path, frame, wanted, progress);
  bodies_file file = reader.read();
  if (frame.frames > 1) {
    file.note =
        fmt::format("the last of {} frames, timestep {}", with_commas(frame.frames), one_line(reader.timestep()));
  }
  return file;
}

}  // namespace abut::cli
