#include "files/bodies_file.hpp"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "screen/words.hpp"

namespace abut::cli {
namespace {

/// Refuses files that are often given by mistake, by their first bytes.
void refuse_foreign(const std::string& path, std::string_view text) {
  const auto starts = [&](std::string_view magic) { return text.substr(0, magic.size()) == magic; };
  if (starts("PK\x03\x04")) {
    throw error(fmt::format("{}: is a zip archive (.npz?); save one array with numpy.save", path));
  }
  if (starts("\x1f\x8b")) throw error(fmt::format("{}: is compressed; unpack it with gunzip first", path));
  if (starts("\x28\xb5\x2f\xfd")) throw error(fmt::format("{}: is compressed; unpack it with unzstd first", path));
  if (starts("\xff\xfe") || starts("\xfe\xff")) throw error(fmt::format("{}: is UTF-16 text; save it as UTF-8", path));
}

}  // namespace

std::string bodies_in_words(shape kind, int dimension, std::size_t count) {
  const bool flat = dimension == 2;
  const char* const noun = kind == shape::sphere ? (flat ? "disc" : "sphere") : (flat ? "rectangle" : "box");
  std::string words = counted(count, noun);
  if (words.ends_with("boxs")) words.replace(words.size() - 1, 1, "es");
  return fmt::format("{} in {}D", words, dimension);
}

bodies_file file_of(const body_layout& layout, std::size_t size) {
  bodies_file file;
  file.kind = layout.kind;
  file.dimension = layout.dimension;
  file.size = size;
  file.names = layout.names;
  file.radius = layout.radius;
  if (layout.radius) file.columns[layout.fields.size()] = column(*layout.radius);
  return file;
}

void multiply_radii(bodies_file& file, double by) {
  column& radius = file.columns[static_cast<std::size_t>(file.dimension)];
  if (radius.constant()) {
    radius = column(by * radius[0]);
    return;
  }
  const auto own = std::make_shared<std::vector<double>>(file.size);
  radius.read(0, file.size, own->data());
  for (double& r : *own) r *= by;
  radius = column(*own);
  using both = std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>;
  file.storage = std::make_shared<both>(file.storage, own);
}

bodies_file read_bodies(const std::string& path, const columns_request& wanted, const reading& progress) {
  const file_bytes bytes = read_file(path, progress, "a file without bodies still needs its header");
  std::string_view text = bytes.text();
  const std::string extension = std::filesystem::path(path).extension().string();
  if (text.substr(0, 6) == "\x93NUMPY") return read_npy(path, bytes, wanted);
  if (text.substr(0, 5) == "ITEM:") return read_lammps(path, text, wanted, progress);
  refuse_foreign(path, text);
  if (extension == ".npy") {
    throw error(fmt::format("{}: is not an .npy file (it starts with {}); save the array with numpy.save", path,
                            in_quotes(text.substr(0, 6))));
  }
  if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
  // Standard input has no extension; it is most likely .csv.
  const bool nameless = !bytes.regular || path.starts_with("/dev/");
  if (extension == ".csv" || nameless) return read_csv(path, text, wanted, progress);
  throw error(
      fmt::format("{}: unknown format; abut reads .npy, .csv and LAMMPS dumps (text that starts with ITEM:)", path));
}

}  // namespace abut::cli
