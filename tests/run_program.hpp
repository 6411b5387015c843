#pragma once

// Runs the real program in a folder of its own, and makes and reads the files that it works on.

#include <algorithm>
#include <csignal>
#include <cstddef>
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
#include <vector>

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

/// The file of the program abut.
std::string file();

struct setup {
  std::string program = file();  ///< which runs
  rlim_t largest_file = 0;       ///< 0: no limit
  std::string standard_input{};  ///< a file in the folder
  std::string standard_output{};
  bool unprivileged = false;  ///< as a user who may do nothing special, even if the tests are run by root
  pid_t mounts_of = 0;        ///< with the file systems that this process sees; 0: with those of the tests
};

/// Gives a folder and all in it to the user of `setup::unprivileged`. Does nothing unless root runs the tests.
void give_away(const std::filesystem::path& folder);

/// A disk of some bytes, mounted in a folder that it makes; gone at the end. Only processes with its mounts see it.
class small_disk {
 public:
  small_disk(const folder& where, const std::string& name, std::size_t bytes);
  ~small_disk();
  small_disk(const small_disk&) = delete;
  small_disk& operator=(const small_disk&) = delete;

  /// Why there is none; empty if there is one.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  /// How to run the program so that it sees the disk.
  [[nodiscard]] setup seen() const;
  /// Where the tests find what is on it.
  [[nodiscard]] std::filesystem::path path() const;
  [[nodiscard]] std::string read(const std::string& name) const;

 private:
  std::filesystem::path at_;
  std::string problem_;
  pid_t holder_ = 0;  // a process that sees it
};

/// Becomes a program, by default abut; call it in a child process.
[[noreturn]] void become(const folder& where, const arguments& args, const std::string& program = file());

/// The running program; its output goes to unnamed files.
class running {
 public:
  running(const folder& where, const arguments& args, const setup& how = {});
  ~running() {
    std::fclose(out_);
    std::fclose(err_);
  }
  running(const running&) = delete;
  running& operator=(const running&) = delete;

  void signal(int which) const { ::kill(id_, which); }

  /// Waits until the program handles this signal, that is, until it has started up.
  void wait_until_catching(int which);
  [[nodiscard]] bool ended() { return ended_ || (ended_ = ::waitpid(id_, &status_, WNOHANG) == id_); }

  /// The exit code, or -1 if a signal has ended the program.
  int wait();
  [[nodiscard]] std::string out() const { return content(out_); }
  [[nodiscard]] std::string err() const { return content(err_); }

 private:
  static std::string content(std::FILE* file);

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

result run(const folder& where, const arguments& args, const setup& how = {});

/// What the program said, without the lines that begin with "warning: ": a scene that is as small and soft as a test
/// wants it may well be one to doubt.
std::string without_warnings(const std::string& said);

/// Runs the program on a terminal of its own and returns everything that it shows there. Presses Ctrl-C once it shows
/// `interrupt_at`; never if that is empty.
std::string on_a_terminal(const folder& where, const arguments& args, std::string_view interrupt_at, int& code);

/// The members of a JSON text by their paths ("seconds.read", "0.name"), with strings unescaped. Throws if the text is
/// not JSON. (Written here so that the tests need no other program.)
class json_members {
 public:
  explicit json_members(std::string_view text);
  const std::string& operator[](const std::string& path) const;
  [[nodiscard]] std::size_t size() const { return members_.size(); }
  [[nodiscard]] bool has(const std::string& path) const { return members_.count(path) > 0; }

 private:
  [[noreturn]] void refuse() const;
  void space();
  bool take(char c);
  void value(const std::string& path);
  std::string string();

  std::string_view text_;
  std::size_t at_ = 0;
  std::map<std::string, std::string> members_;
};

/// A .npy file of this version, with this header and these bytes.
std::string npy(const std::string& dictionary, std::string_view bytes, int version = 1);

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

/// The number of a column in a row of a CSV file. Throws if there is none.
double csv_number(const std::string& header, const std::string& row, const std::string& column);

/// The same rows as .csv, with every digit.
std::string csv_of(const std::string& header, const std::vector<std::vector<double>>& rows);

}  // namespace program
