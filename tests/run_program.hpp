#pragma once

// Runs the real program in a folder of its own, and makes and reads the files that it works on.

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace program {

// The thread sanitizer keeps files of its own, which a limit on file sizes breaks, and it delays signals.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ABUT_UNDER_TSAN 1
#endif
#endif
#ifdef ABUT_UNDER_TSAN
constexpr bool under_thread_sanitizer = true;
#else
constexpr bool under_thread_sanitizer = false;
#endif

/// A folder for one test, removed at the end.
class folder {
 public:
  folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "abut_cli_XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp: " + pattern);
    path_ = pattern;
  }
  ~folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, std::string_view content) const {
    std::ofstream(path_ / name, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    if (!file) throw std::runtime_error("no file " + name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// The names of the files in it, sorted.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) all.push_back(entry.path().filename());
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  std::filesystem::path path_;
};

using arguments = std::vector<std::string>;

struct setup {
  rlim_t largest_file = 0;       ///< 0: no limit
  std::string standard_input{};  ///< a file in the folder
  std::string standard_output{};
};

/// Becomes the program; call it in a child process.
[[noreturn]] inline void become(const folder& where, const arguments& args) {
  std::signal(SIGINT, SIG_DFL);  // it is ignored in a shell's background jobs
  ::setenv("TERM", "xterm", 1);
  ::setenv("ABUT_CACHE", (where.path() / "cache").c_str(), 1);  // never the user's own
  std::vector<char*> argv = {const_cast<char*>("abut")};
  for (const std::string& arg : args) argv.push_back(const_cast<char*>(arg.c_str()));
  argv.push_back(nullptr);
  if (::chdir(where.path().c_str()) == 0) ::execv(ABUT_PROGRAM, argv.data());
  ::_exit(127);
}

/// The running program; its output goes to unnamed files.
class running {
 public:
  running(const folder& where, const arguments& args, const setup& how = {})
      : out_(std::tmpfile()), err_(std::tmpfile()) {
    const auto open_in = [&](const std::string& name, int flags) {
      return ::open((where.path() / name).c_str(), flags);
    };
    id_ = ::fork();
    if (id_ != 0) return;
    ::dup2(how.standard_input.empty() ? ::open("/dev/null", O_RDONLY) : open_in(how.standard_input, O_RDONLY), 0);
    ::dup2(how.standard_output.empty() ? ::fileno(out_) : open_in(how.standard_output, O_WRONLY), 1);
    ::dup2(::fileno(err_), 2);
    if (how.largest_file > 0) {
      const rlimit limit{how.largest_file, how.largest_file};
      ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    become(where, args);
  }
  ~running() {
    std::fclose(out_);
    std::fclose(err_);
  }
  running(const running&) = delete;
  running& operator=(const running&) = delete;

  void signal(int which) const { ::kill(id_, which); }

  /// Waits until the program handles this signal, that is, until it has started up.
  void wait_until_catching(int which) {
    for (bool catching = false; !catching && !ended();) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      std::ifstream status("/proc/" + std::to_string(id_) + "/status");
      for (std::string line; std::getline(status, line);) {
        if (!line.starts_with("SigCgt:")) continue;
        catching = (std::stoull(line.substr(7), nullptr, 16) >> (which - 1) & 1U) != 0;
      }
    }
  }
  [[nodiscard]] bool ended() { return ended_ || (ended_ = ::waitpid(id_, &status_, WNOHANG) == id_); }

  /// The exit code, or -1 if a signal has ended the program.
  int wait() {
    while (!ended_ && ::waitpid(id_, &status_, 0) < 0 && errno == EINTR) {
    }
    ended_ = true;
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : -1;
  }
  [[nodiscard]] std::string out() const { return content(out_); }
  [[nodiscard]] std::string err() const { return content(err_); }

 private:
  static std::string content(std::FILE* file) {
    std::string text;
    char buffer[4096];
    std::rewind(file);
    for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, got);
    return text;
  }

  std::FILE* out_;
  std::FILE* err_;
  pid_t id_ = -1;
  int status_ = 0;
  bool ended_ = false;
};

struct result {
  int code = -1;
  std::string out;
  std::string err;
};

inline result run(const folder& where, const arguments& args, const setup& how = {}) {
  running program(where, args, how);
  const int code = program.wait();
  return {code, program.out(), program.err()};
}

/// Runs the program on a terminal of its own and returns everything that it shows there. Presses Ctrl-C once it shows
/// `interrupt_at`; never if that is empty.
inline std::string on_a_terminal(const folder& where, const arguments& args, std::string_view interrupt_at, int& code) {
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

/// The members of a JSON text by their paths ("seconds.read", "0.name"), with strings unescaped. Throws if the text is
/// not JSON. (Written here so that the tests need no other program.)
class json_members {
 public:
  explicit json_members(std::string_view text) : text_(text) {
    value("");
    space();
    if (at_ != text_.size()) refuse();
  }
  const std::string& operator[](const std::string& path) const {
    const auto found = members_.find(path);
    if (found == members_.end()) throw std::runtime_error("no member " + path + " in " + std::string(text_));
    return found->second;
  }
  [[nodiscard]] std::size_t size() const { return members_.size(); }
  [[nodiscard]] bool has(const std::string& path) const { return members_.count(path) > 0; }

 private:
  [[noreturn]] void refuse() const { throw std::runtime_error("not JSON: " + std::string(text_)); }
  void space() { at_ = std::min(text_.find_first_not_of(" \n\t\r", at_), text_.size()); }
  bool take(char c) {
    space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  static std::string joined(const std::string& path, const std::string& key) {
    return path.empty() ? key : path + "." + key;
  }

  void value(const std::string& path) {
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

  std::string string() {
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

  std::string_view text_;
  std::size_t at_ = 0;
  std::map<std::string, std::string> members_;
};

/// A .npy file of this version, with this header and these bytes.
inline std::string npy(const std::string& dictionary, std::string_view bytes, int version = 1) {
  const std::size_t before = version == 1 ? 10 : 12;
  std::string header = dictionary;
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  std::string file = "\x93NUMPY";
  file += {static_cast<char>(version), '\0'};
  for (std::size_t k = 0; k < before - 8; ++k) file += static_cast<char>(header.size() >> (8 * k) & 0xffU);
  return file.append(header).append(bytes);
}

/// A .npy file of rows of T.
template <class T>
std::string npy_of(const std::vector<std::vector<double>>& rows, std::size_t width, bool fortran = false,
                   int version = 1) {
  std::string bytes(rows.size() * width * sizeof(T), '\0');
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < width; ++k) {
      const T value = static_cast<T>(rows[i][k]);
      const std::size_t at = fortran ? k * rows.size() + i : i * width + k;
      std::memcpy(bytes.data() + at * sizeof(T), &value, sizeof(T));
    }
  }
  return npy("{'descr': '<f" + std::to_string(sizeof(T)) + "', 'fortran_order': " + (fortran ? "True" : "False") +
                 ", 'shape': (" + std::to_string(rows.size()) + ", " + std::to_string(width) + "), }",
             bytes, version);
}

/// The same rows as .csv, with every digit.
inline std::string csv_of(const std::string& header, const std::vector<std::vector<double>>& rows) {
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
