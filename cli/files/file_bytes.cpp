#include "files/file_bytes.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include <abut/error.hpp>

#include "base/memory.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t chunk = std::size_t{1} << 24U;

struct descriptor {
  int number = -1;
  explicit descriptor(int n) : number(n) {}
  ~descriptor() {
    if (number >= 0) ::close(number);
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
};

[[noreturn]] void refuse_missing(const std::string& path) {
  const fs::path wanted(path);
  const fs::path folder = wanted.has_parent_path() ? wanted.parent_path() : fs::path(".");
  std::error_code problem;
  std::vector<std::string> names;
  for (fs::directory_iterator at(folder, problem), end; !problem && at != end; at.increment(problem)) {
    names.push_back(at->path().filename().string());
  }
  if (problem && !fs::exists(folder, problem)) {
    throw error(fmt::format("{}: no such file (there is no folder {})", path, in_quotes(folder.string())));
  }
  std::sort(names.begin(), names.end());
  const std::string near = nearest(wanted.filename().string(), names);
  if (near.empty()) throw error(fmt::format("{}: no such file", path));
  const fs::path found = wanted.has_parent_path() ? wanted.parent_path() / near : fs::path(near);
  throw error(fmt::format("{}: no such file, did you mean {}?", path, found.string()));
}

[[noreturn]] void refuse_reading(const std::string& path, int problem) {
  throw error(fmt::format("{}: cannot read: {}", path, std::strerror(problem)));
}

/// Reads up to `wanted` bytes, fewer only at the end of the file.
std::size_t read_fully(int from, char* to, std::size_t wanted, const std::string& path) {
  std::size_t have = 0;
  while (have < wanted) {
    const ssize_t got = ::read(from, to + have, wanted - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse_reading(path, errno);
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  return have;
}

/// Reads a pipe, whose size is unknown.
file_bytes read_stream(int from, const std::string& path, const reading& progress) {
  const auto gathered = std::make_shared<std::vector<char>>();
  std::size_t size = 0;
  while (true) {
    gathered->resize(size + std::max(chunk, size));
    const std::size_t got = read_fully(from, gathered->data() + size, gathered->size() - size, path);
    size += got;
    if (size < gathered->size()) break;
    progress("reading", -1);
  }
  return {std::shared_ptr<const char[]>(gathered, gathered->data()), size, false};
}

file_bytes read_regular(int from, std::size_t size, const std::string& path, const reading& progress) {
  // Asking for one byte more than the size shows whether the file has grown.
  const auto data = std::make_shared<buffer<char>>();  // in huge pages: small ones take longer than the reading itself
  data->make(size + 1);
  std::size_t have = 0;
  while (have <= size) {
    const std::size_t wanted = std::min(chunk, size + 1 - have);
    const std::size_t got = read_fully(from, data->data() + have, wanted, path);
    have += got;
    if (got < wanted) break;
    progress("reading", static_cast<double>(have) / static_cast<double>(size));
  }
  if (have != size) throw error(fmt::format("{}: changed while it was read; try again when it is complete", path));
  return {std::shared_ptr<const char[]>(data, data->data()), size, true};
}

}  // namespace

file_bytes read_file(const std::string& path, const reading& progress, std::string_view if_empty) {
  const descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number < 0) {
    if (errno == ENOENT) refuse_missing(path);
    refuse_reading(path, errno);
  }
  struct stat status {};
  if (::fstat(file.number, &status) != 0) refuse_reading(path, errno);
  if (S_ISDIR(status.st_mode)) throw error(fmt::format("{}: is a folder; name a file in it", path));
  // Files in /proc report 0 bytes but have content.
  const bool sized = S_ISREG(status.st_mode) && status.st_size > 0;
  file_bytes bytes = sized ? read_regular(file.number, static_cast<std::size_t>(status.st_size), path, progress)
                           : read_stream(file.number, path, progress);
  if (bytes.size == 0) {
    throw error(fmt::format("{}: is empty (0 bytes){}{}", path, if_empty.empty() ? "" : "; ", if_empty));
  }
  return bytes;
}

}  // namespace abut::cli
