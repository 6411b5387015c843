#include "files/folder_lock.hpp"

#include <cerrno>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include <abut/error.hpp>

namespace abut::cli {
namespace {

/// " (process 1234)": who has locked it, by the system's list of locks; empty if that does not say.
std::string holder_of(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return "";
  // Lines such as "1: FLOCK  ADVISORY  WRITE 1234 08:01:131 0 EOF"; not of each file system is the device known.
  const std::string inode = fmt::format(":{}", status.st_ino);
  std::ifstream all("/proc/locks");
  for (std::string line; std::getline(all, line);) {
    std::istringstream words(line);
    std::string number, kind, manner, access, file;
    long process = 0;
    if (!(words >> number >> kind >> manner >> access >> process >> file)) continue;
    if (kind == "FLOCK" && process > 0 && file.ends_with(inode)) return fmt::format(" (process {})", process);
  }
  return "";
}

}  // namespace

folder_lock::folder_lock(const std::string& folder, const std::string& what)
    : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0 || ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  const std::string holder = holder_of(descriptor_);
  ::close(descriptor_);
  throw error(fmt::format("{} is being written by another run{}; wait until that has ended, or name another folder",
                          what, holder));
}

folder_lock::~folder_lock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace abut::cli
