#pragma once

#include <cstddef>
#include <string>
#include <utility>

namespace abut::cli {

/// Room on a disk that is kept for later: a file without a name, which the system removes when the process ends,
/// however it ends.
class kept_room {
 public:
  /// On the disk of this folder. Nothing is kept yet.
  explicit kept_room(std::string folder) : folder_(std::move(folder)) {}
  ~kept_room() { give_back(); }
  kept_room(const kept_room&) = delete;
  kept_room& operator=(const kept_room&) = delete;

  /// Keeps at least this number of bytes. If the disk has no room for them, returns false and keeps what it has.
  bool keep(std::size_t bytes);
  void give_back();

 private:
  std::string folder_;
  std::size_t bytes_ = 0;
  int descriptor_ = -1;
};

}  // namespace abut::cli
