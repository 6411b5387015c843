#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace abut::cli {

/// Whether the path of this option ends in .csv rather than .npy. Throws `error` if it is neither; `what` names what
/// the file is for.
[[nodiscard]] bool is_csv(std::string_view option, const std::string& path, std::string_view what);

/// A file that appears whole or not at all: written beside its target under another name, renamed at the end, removed
/// on an error or an interrupt. What was there before stays until the rename. A target that is no regular file (a pipe,
/// a device) is written to directly. Every failure is an `error` with the path.
class output_file {
 public:
  /// Checks that the target can be written, by making the temporary file and removing it: long work should not end in a
  /// folder that does not exist.
  explicit output_file(std::string path);
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  void open();
  void write(const void* bytes, std::size_t count);
  /// Puts the file in its place.
  void commit();

 private:
  [[noreturn]] void refuse(const char* what, int problem) const;
  void make_temporary();
  void drop_temporary();

  std::string path_;    ///< as the user gave it
  std::string target_;  ///< links followed
  std::string temporary_;
  bool direct_ = false;
  int mode_ = -1;  ///< the permissions of the file that will be replaced
  int descriptor_ = -1;
};

}  // namespace abut::cli
