#include "files/output_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include <abut/error.hpp>

#include "screen/interrupts.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

/// The file that the path refers to, which need not exist: follows links, even one that leads nowhere.
std::string behind_links(const std::string& path) {
  constexpr int most = 40;  // as many as Linux follows; circles were refused before
  fs::path target(path);
  std::error_code none;
  for (int k = 0; k < most && fs::is_symlink(fs::symlink_status(target, none)); ++k) {
    target = folder_of(target.string()) / fs::read_symlink(target);  // an absolute path replaces all before it
  }
  return target.string();
}

}  // namespace

bool is_csv(std::string_view option, const std::string& path, std::string_view what) {
  const std::string extension = fs::path(path).extension().string();
  if (extension == ".csv") return true;
  if (extension == ".npy") return false;
  throw error(fmt::format("{} {}: unknown extension {}; {} are written as .npy or .csv", option, path,
                          in_quotes(extension), what));
}

bool write_error::full() const { return problem_ == ENOSPC || problem_ == EDQUOT; }

write_error unwritten(const std::string& path, int problem) {
  return {fmt::format("{}: cannot write: {}", path, std::strerror(problem)), problem};
}

output_file::output_file(std::string path) : path_(std::move(path)), target_(path_) {
  struct stat status {};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  if (!exists && errno != ENOENT && errno != ENOTDIR) refuse("cannot write", errno);  // such as a circle of links
  if (exists) {
    if (S_ISDIR(status.st_mode)) throw error(fmt::format("{}: is a folder; name a file in it", path_));
    // A rename would succeed even if the user has protected the file.
    if (::access(path_.c_str(), W_OK) != 0) refuse("cannot write", errno);
    if (!S_ISREG(status.st_mode)) {
      direct_ = true;
      return;
    }
    target_ = fs::canonical(path_).string();
    mode_ = static_cast<int>(status.st_mode & 07777U);
  } else {
    target_ = behind_links(path_);
  }
  const fs::path folder = folder_of(target_);
  if (!fs::is_directory(folder)) {
    throw error(fmt::format("{}: there is no folder {}; make it first", path_, in_quotes(folder.string())));
  }
  make_temporary();
  drop_temporary();
}

output_file::~output_file() { drop_temporary(); }

void output_file::refuse(const char* what, int problem) const {
  throw write_error(fmt::format("{}: {}: {}", path_, what, std::strerror(problem)), problem);
}

void output_file::make_temporary() {
  for (int attempt = 0; descriptor_ < 0; ++attempt) {
    temporary_ = (folder_of(target_) / fmt::format(".abut-{}-{}.part", ::getpid(), attempt)).string();
    remove_on_interrupt(temporary_);  // before it exists, so that it is never left behind
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) break;
    const int problem = errno;
    remove_on_interrupt("");
    temporary_.clear();
    if (problem != EEXIST || attempt > 100) refuse("cannot write", problem);
  }
  if (mode_ >= 0) ::fchmod(descriptor_, static_cast<mode_t>(mode_));
}

void output_file::drop_temporary() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  if (temporary_.empty()) return;
  ::unlink(temporary_.c_str());
  temporary_.clear();
  remove_on_interrupt("");
}

void output_file::open() {
  if (!direct_) {
    make_temporary();
    return;
  }
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor_ < 0) refuse("cannot write", errno);
}

void output_file::write(const void* bytes, std::size_t count) {
  const char* at = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t done = ::write(descriptor_, at, count);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) refuse("cannot write", errno);
    at += done;
    count -= static_cast<std::size_t>(done);
  }
}

void output_file::sync() {
  if (::fsync(descriptor_) != 0) refuse("cannot write", errno);
}

void output_file::commit() {
  // Some file systems report a full disk only here.
  if (::close(std::exchange(descriptor_, -1)) != 0) refuse("cannot write", errno);
  if (direct_) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) refuse("cannot replace", errno);
  temporary_.clear();
  remove_on_interrupt("");
}

void sync_folder(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);  // some file systems cannot: then there is nothing more to do
  ::close(descriptor);
}

}  // namespace abut::cli
