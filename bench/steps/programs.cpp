#include "programs.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include <unistd.h>

#include <fmt/format.h>

#include "screen/words.hpp"

namespace abut::cli {
namespace {

/// The file of a program on the path; empty if there is none.
std::string on_path(const std::string& name) {
  const char* const path = std::getenv("PATH");
  if (path == nullptr) return "";
  std::string_view rest = path;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    std::string file = fmt::format("{}/{}", folder, name);
    if (!folder.empty() && ::access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}

/// For the shell.
std::string in_single_quotes(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// Open MPI refuses to run as root, pins ranks to cores, and spins while it waits even if other programs need the core,
/// unless its environment says otherwise.
constexpr const char* mpi_environment =
    "OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
    "OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1 ";

std::string command_of(const found_program& program, int threads, const std::string& folder, const std::string& input) {
  const bool ranks = program.is->processes && threads > 1;
  return fmt::format("cd {} && {}{}{} {} </dev/null 2>&1", in_single_quotes(folder),
                     program.is->processes ? mpi_environment : "",
                     ranks ? fmt::format("{} -n {} ", in_single_quotes(program.mpirun), threads) : "",
                     in_single_quotes(program.file), program.is->arguments(in_single_quotes(input), threads));
}

/// A program's own message, or its last line.
std::string complaint(std::string_view printed) {
  std::size_t at = printed.find("ERROR");
  if (at == std::string_view::npos) {
    const std::size_t end = printed.find_last_not_of('\n');
    if (end == std::string_view::npos) return "it printed nothing";
    at = printed.find_last_of('\n', end);
    at = at == std::string_view::npos ? 0 : at + 1;
  }
  return std::string(printed.substr(at, printed.find('\n', at) - at));
}

}  // namespace

bool printed_text::has(std::string_view words, std::size_t from) const {
  return text_.find(words, from) != std::string::npos;
}

std::size_t printed_text::place_of(std::string_view words, std::size_t from) const {
  const std::size_t at = text_.find(words, from);
  if (at == std::string::npos) throw error(fmt::format("{} did not print \"{}\"", program_, words));
  return at;
}

std::size_t printed_text::last_place_of(std::string_view words) const {
  (void)place_of(words);
  return text_.rfind(words);
}

double printed_text::number_after(std::string_view words, std::size_t from) const {
  const std::size_t at = place_of(words, from) + words.size();
  const char* begin = text_.data() + std::min(text_.find_first_not_of(" |=", at), text_.size());
  double value = 0;
  if (!take_number(begin, text_.data() + text_.size(), value)) {
    throw error(fmt::format("{} printed no number after \"{}\"", program_, words));
  }
  return value;
}

std::span<const other_program* const> other_programs() {
  static const std::array<const other_program*, 3> all = {&lammps(), &liggghts(), &yade()};
  return all;
}

std::string found_program::missing() const {
  return fmt::format("{} is not on the path (in Debian: apt-get install {})",
                     file.empty() ? fmt::format("{}'s program {}", is->name, is->executable) : "mpirun", is->package);
}

found_program find_program(const other_program& which) {
  return {.is = &which, .file = on_path(which.executable), .mpirun = on_path("mpirun")};
}

printed_text run_program(const found_program& program, int threads, const std::string& folder, const std::string& input,
                         const std::function<void(double step)>& tell) {
  const std::string command = command_of(program, threads, folder, input);
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) throw error(fmt::format("{} could not be started: {}", program.is->name, program.file));
  std::string printed;
  std::array<char, 4096> line{};
  while (std::fgets(line.data(), static_cast<int>(line.size()), pipe) != nullptr) {
    const std::string_view text = line.data();
    printed += text;
    const char* at = text.data() + std::min(text.find_first_not_of(' '), text.size());
    double step = 0;
    if (tell && take_number(at, text.data() + text.size(), step)) tell(step);
  }
  if (::pclose(pipe) != 0 || printed.find("ERROR") != std::string::npos) {
    throw error(fmt::format("{} failed on {}/{}: {}", program.is->name, folder, input, one_line(complaint(printed))));
  }
  return {program.is->name, std::move(printed)};
}

step_run run_theirs(const found_program& program, const step_case& what, const neighbor_choice& choice,
                    const std::string& data, int threads, const std::string& folder) {
  const std::string input =
      fmt::format("{}-{}-{}{}", what.name, what.bodies(), program.is->key, program.is->input_ending);
  write_text(fmt::format("{}/{}", folder, input), program.is->input(what, choice, data));
  return program.is->result(run_program(program, threads, folder, input, {}), threads);
}

}  // namespace abut::cli
