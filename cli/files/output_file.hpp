#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <abut/error.hpp>

namespace abut::cli {

/// An error of a file that cannot be written, with its path and the reason.
class write_error : public error {
 public:
  /// `problem` is the system's number of the reason.
  write_error(const std::string& message, int problem) : error(message), problem_(problem) {}
  [[nodiscard]] int problem() const { return problem_; }
  /// Whether its disk is full.
  [[nodiscard]] bool full() const;

 private:
  int problem_;
};
/// "bed/state.npy: cannot write: No space left on device".
[[nodiscard]] write_error unwritten(const std::string& path, int problem);

/// Whether the path of this option ends in .csv rather than .npy. Throws `error` if it is neither; `what` names what
/// the file is for.
[[nodiscard]] bool is_csv(std::string_view option, const std::string& path, std::string_view what);

/// A file that appears complete or not at all: it is written next to its target under another name, renamed at the end,
/// and removed on an error or an interrupt. An older file stays until the rename. If the target is not a regular file
/// (a pipe, a device), it is written directly. Every failure throws `error` with the path, and `write_error` if it
/// comes from the system.
class output_file {
 public:
  /// Checks that the target can be written, by making the temporary file and removing it, so that a wrong folder is
  /// found before long work and not after it.
  explicit output_file(std::string path);
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  void open();
  void write(const void* bytes, std::size_t count);
  /// Waits until all that was written is on the disk.
  void sync();
  /// Completes the file and renames it to its target.
  void commit();

 private:
  [[noreturn]] void refuse(const char* what, int problem) const;
  void make_temporary();
  void drop_temporary();

  std::string path_;    ///< as the user gave it
  std::string target_;  ///< with links resolved
  std::string temporary_;
  bool direct_ = false;
  int mode_ = -1;  ///< the permissions of the file that will be replaced
  int descriptor_ = -1;
};

/// Waits until the names of a folder's files are on the disk.
void sync_folder(const std::string& folder);

}  // namespace abut::cli
