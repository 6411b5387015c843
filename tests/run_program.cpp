#include "run_program.hpp"

#include <cerrno>
#include <chrono>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <grp.h>
#include <pty.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>

namespace program {

std::string file() { return ABUT_PROGRAM; }

void become(const folder& where, const arguments& args, const std::string& program) {
  std::signal(SIGINT, SIG_DFL);  // it is ignored in a shell's background jobs
  ::setenv("TERM", "xterm", 1);
  ::setenv("ABUT_CACHE", (where.path() / "cache").c_str(), 1);  // never the user's own
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& arg : args) argv.push_back(const_cast<char*>(arg.c_str()));
  argv.push_back(nullptr);
  if (::chdir(where.path().c_str()) == 0) ::execv(program.c_str(), argv.data());
  ::_exit(127);
}

namespace {

constexpr unsigned nobody = 65534;

// Ends the process if it fails: a test must not go on with more rights than it says.
void drop_rights() {
  if (::geteuid() != 0) return;
  if (::setgroups(0, nullptr) != 0 || ::setgid(nobody) != 0 || ::setuid(nobody) != 0) ::_exit(126);
}

void take_mounts_of(pid_t process) {
  const int mounts = ::open(("/proc/" + std::to_string(process) + "/ns/mnt").c_str(), O_RDONLY);
  if (mounts < 0 || ::setns(mounts, CLONE_NEWNS) != 0) ::_exit(126);
  ::close(mounts);
}

// In a child process: mounts a disk for itself alone. Returns what was not possible.
const char* mount_disk(const std::filesystem::path& at, std::size_t bytes) {
  if (::unshare(CLONE_NEWNS) != 0) return "unshare";
  if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return "making mounts private";
  const std::string size = "size=" + std::to_string(bytes);
  return ::mount("tmpfs", at.c_str(), "tmpfs", 0, size.c_str()) == 0 ? "" : "mounting a tmpfs";
}

}  // namespace

void give_away(const std::filesystem::path& folder) {
  if (::geteuid() != 0) return;
  if (::lchown(folder.c_str(), nobody, nobody) != 0) throw std::runtime_error("chown: " + folder.string());
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (::lchown(entry.path().c_str(), nobody, nobody) != 0)
      throw std::runtime_error("chown: " + entry.path().string());
  }
}

small_disk::small_disk(const folder& where, const std::string& name, std::size_t bytes) : at_(where.path() / name) {
  std::filesystem::create_directory(at_);
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("pipe");
  holder_ = ::fork();
  if (holder_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::string said = mount_disk(at_, bytes);
    if (!said.empty()) said += std::string(": ") + std::strerror(errno);
    said += '\n';
    if (::write(ends[1], said.data(), said.size()) <= 0) ::_exit(1);
    for (;;) ::pause();  // holds the disk until it is killed
  }
  ::close(ends[1]);
  for (char c = 0; ::read(ends[0], &c, 1) == 1 && c != '\n';) problem_ += c;
  ::close(ends[0]);
}

small_disk::~small_disk() {
  ::kill(holder_, SIGKILL);
  ::waitpid(holder_, nullptr, 0);
}

setup small_disk::seen() const {
  setup how;
  how.mounts_of = holder_;
  return how;
}

std::filesystem::path small_disk::path() const { return "/proc/" + std::to_string(holder_) + "/root" + at_.string(); }

std::string small_disk::read(const std::string& name) const {
  std::ifstream file(path() / name, std::ios::binary);
  if (!file) throw std::runtime_error("no file " + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

running::running(const folder& where, const arguments& args, const setup& how)
    : out_(std::tmpfile()), err_(std::tmpfile()) {
  const auto open_in = [&](const std::string& name, int flags) { return ::open((where.path() / name).c_str(), flags); };
  id_ = ::fork();
  if (id_ != 0) return;
  ::dup2(how.standard_input.empty() ? ::open("/dev/null", O_RDONLY) : open_in(how.standard_input, O_RDONLY), 0);
  ::dup2(how.standard_output.empty() ? ::fileno(out_) : open_in(how.standard_output, O_WRONLY), 1);
  ::dup2(::fileno(err_), 2);
  if (how.largest_file > 0) {
    const rlimit limit{how.largest_file, how.largest_file};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  if (how.mounts_of != 0) take_mounts_of(how.mounts_of);
  if (how.unprivileged) drop_rights();
  become(where, args, how.program);
}

void running::wait_until_catching(int which) {
  for (bool catching = false; !catching && !ended();) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::ifstream status("/proc/" + std::to_string(id_) + "/status");
    for (std::string line; std::getline(status, line);) {
      if (!line.starts_with("SigCgt:")) continue;
      catching = (std::stoull(line.substr(7), nullptr, 16) >> (which - 1) & 1U) != 0;
    }
  }
}

int running::wait() {
  while (!ended_ && ::waitpid(id_, &status_, 0) < 0 && errno == EINTR) {
  }
  ended_ = true;
  return WIFEXITED(status_) ? WEXITSTATUS(status_) : -1;
}

std::string running::content(std::FILE* file) {
  std::string text;
  char buffer[4096];
  std::rewind(file);
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, got);
  return text;
}

std::string without_warnings(const std::string& said) {
  std::string rest;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("warning: ")) rest += line + "\n";
  }
  return rest;
}

result run(const folder& where, const arguments& args, const setup& how) {
  running program(where, args, how);
  const int code = program.wait();
  return {code, program.out(), program.err()};
}

std::string on_a_terminal(const folder& where, const arguments& args, std::string_view interrupt_at, int& code) {
  int terminal = -1;
  const pid_t id = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (id == 0) become(where, args);
  std::string shown;
  char buffer[4096];
  for (ssize_t got = 0; (got = ::read(terminal, buffer, sizeof buffer)) > 0;) {
    shown.append(buffer, static_cast<std::size_t>(got));
    if (!interrupt_at.empty() && shown.find(interrupt_at) != std::string::npos) {
      ::kill(id, SIGINT);
      interrupt_at = {};
    }
  }
  int status = 0;
  ::waitpid(id, &status, 0);
  ::close(terminal);
  code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return shown;
}

json_members::json_members(std::string_view text) : text_(text) {
  value("");
  space();
  if (at_ != text_.size()) refuse();
}

const std::string& json_members::operator[](const std::string& path) const {
  const auto found = members_.find(path);
  if (found == members_.end()) throw std::runtime_error("no member " + path + " in " + std::string(text_));
  return found->second;
}

void json_members::refuse() const { throw std::runtime_error("not JSON: " + std::string(text_)); }

void json_members::space() { at_ = std::min(text_.find_first_not_of(" \n\t\r", at_), text_.size()); }

bool json_members::take(char c) {
  space();
  if (at_ >= text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

namespace {

std::string joined(const std::string& path, const std::string& key) { return path.empty() ? key : path + "." + key; }

}  // namespace

void json_members::value(const std::string& path) {
  space();
  if (take('{')) {
    if (take('}')) return;
    do {
      const std::string key = string();
      if (!take(':')) refuse();
      value(joined(path, key));
    } while (take(','));
    if (!take('}')) refuse();
  } else if (take('[')) {
    if (take(']')) return;
    int k = 0;
    do value(joined(path, std::to_string(k++)));
    while (take(','));
    if (!take(']')) refuse();
  } else if (at_ < text_.size() && text_[at_] == '"') {
    members_[path] = string();
  } else {
    const std::size_t end = std::min(text_.find_first_of(",]} \n", at_), text_.size());
    const std::string word(text_.substr(at_, end - at_));
    char* rest = nullptr;
    std::strtod(word.c_str(), &rest);
    const bool number =
        !word.empty() && *rest == 0 && std::string_view("-0123456789").find(word[0]) != std::string_view::npos;
    if (!number && word != "true" && word != "false" && word != "null") refuse();
    members_[path] = word;
    at_ = end;
  }
}

std::string json_members::string() {
  if (!take('"')) refuse();
  std::string out;
  for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
    if (static_cast<unsigned char>(text_[at_]) < 0x20) refuse();
    if (text_[at_] != '\\') {
      out += text_[at_];
      continue;
    }
    if (++at_ >= text_.size()) refuse();
    if (text_[at_] == 'u') {
      out += "<" + std::string(text_.substr(at_ + 1, 4)) + ">";
      at_ += 4;
    } else {
      out += text_[at_];
    }
  }
  if (at_ >= text_.size()) refuse();
  ++at_;
  return out;
}

std::string npy(const std::string& dictionary, std::string_view bytes, int version) {
  const std::size_t before = version == 1 ? 10 : 12;
  std::string header = dictionary;
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  std::string file = "\x93NUMPY";
  file += {static_cast<char>(version), '\0'};
  for (std::size_t k = 0; k < before - 8; ++k) file += static_cast<char>(header.size() >> (8 * k) & 0xffU);
  return file.append(header).append(bytes);
}

double csv_number(const std::string& header, const std::string& row, const std::string& column) {
  std::istringstream names(header);
  std::istringstream numbers(row);
  std::string name, number;
  while (std::getline(names, name, ',') && std::getline(numbers, number, ',')) {
    if (name == column) return std::stod(number);
  }
  throw std::runtime_error("no column " + column + " in " + header);
}

std::string csv_of(const std::string& header, const std::vector<std::vector<double>>& rows) {
  std::string text = header + "\n";
  char number[40];
  for (const auto& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      std::snprintf(number, sizeof number, "%s%.17g", k == 0 ? "" : ",", row[k]);
      text += number;
    }
    text += '\n';
  }
  return text;
}

}  // namespace program
