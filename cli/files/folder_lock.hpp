#pragma once

#include <string>

namespace abut::cli {

/// Keeps other processes that ask for it from a folder. The system frees the folder when the process ends, however it
/// ends, and nothing is written to it.
class folder_lock {
 public:
  /// Throws `error`, with the process that has it, if another one does. The message begins with `what`, the folder as
  /// the user gave it. Where a file system has no locks, there is none, and nothing is said.
  folder_lock(const std::string& folder, const std::string& what);
  ~folder_lock();
  folder_lock(const folder_lock&) = delete;
  folder_lock& operator=(const folder_lock&) = delete;

 private:
  int descriptor_;
};

}  // namespace abut::cli
