#include "table.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "files/file_bytes.hpp"
#include "files/output_file.hpp"
#include "screen/words.hpp"

namespace abut::cli {

step_table::step_table(std::string path, bool resume) : path_(std::move(path)) {
  if (path_.empty()) return;
  const bool there = std::filesystem::exists(path_);
  at_once_ = there && !std::filesystem::is_regular_file(path_);
  if (resume && there && !at_once_) {
    const file_bytes file = read_file(path_, [](std::string_view, double) {});
    std::string_view rest = file.text();
    if (rest.substr(0, step_columns().size()) != step_columns()) {
      throw error(fmt::format("{}: its first line is not that of ./dev bench steps; leave --resume out", path_));
    }
    rest.remove_prefix(step_columns().size());
    while (!rest.empty()) {
      const std::size_t length = std::min(rest.find('\n'), rest.size() - 1) + 1;
      lines_.emplace_back(rest.substr(0, length));
      rest.remove_prefix(length);
    }
  }
  const output_file can_be_written(path_);
}

bool step_table::has(const step_case& what, int threads, const step_measurement& how) const {
  const auto is_there = [&](std::string_view program, std::string_view instructions) {
    const std::string start = fmt::format("{}{},{},", line_start(what, threads), program, instructions);
    return std::any_of(lines_.begin(), lines_.end(), [&](const std::string& line) {
      // A line that ends in a failure does not count.
      return line.substr(0, start.size()) == start && line.substr(line.size() - 2) == ",\n";
    });
  };
  for (const instruction_set set : how.sets) {
    if (!is_there("abut", name_of(set)) || !is_there("abut_as_lammps", name_of(set))) return false;
  }
  return std::all_of(how.programs.begin(), how.programs.end(), [&](const found_program& program) {
    return !program.can_run(threads) || is_there(program.is->key, "");
  });
}

void step_table::add(const std::vector<step_result>& results) {
  const step_result& first = results.front();
  const std::string start = line_start(first.what, first.threads);
  const auto old = [&](const std::string& line) { return line.substr(0, start.size()) == start; };
  lines_.erase(std::remove_if(lines_.begin(), lines_.end(), old), lines_.end());
  for (const step_result& r : results) {
    for (std::string& line : our_lines(r)) lines_.push_back(std::move(line));
  }
  for (std::string& line : other_lines(first)) lines_.push_back(std::move(line));
  if (!at_once_) write();
}

void step_table::finish() {
  if (at_once_ || lines_.empty()) write();
}

void step_table::write() const {
  if (path_.empty()) return;
  std::string text = step_columns();
  for (const std::string& line : lines_) text += line;
  write_text(path_, text);
}

}  // namespace abut::cli
