#include "files/kept_room.hpp"

#include <filesystem>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

namespace abut::cli {

bool kept_room::keep(std::size_t bytes) {
  if (bytes <= bytes_) return true;
  if (descriptor_ < 0) {
    const std::string path = (std::filesystem::path(folder_) / fmt::format(".abut-{}-room.part", ::getpid())).string();
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor_ < 0) return false;
    ::unlink(path.c_str());
  }
  if (::posix_fallocate(descriptor_, 0, static_cast<off_t>(bytes)) == 0) {
    bytes_ = bytes;
    return true;
  }
  // Some file systems stop half-way.
  if (::ftruncate(descriptor_, static_cast<off_t>(bytes_)) != 0 || bytes_ == 0) give_back();
  return false;
}

void kept_room::give_back() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  bytes_ = 0;
}

}  // namespace abut::cli
