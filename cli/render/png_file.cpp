#include "render/png_file.hpp"

#include <abut/error.hpp>

#ifdef ABUT_PNG
#include <vector>

#include <png.h>

#include <fmt/format.h>

#include "files/output_file.hpp"
#include "render/colors.hpp"
#endif

namespace abut::cli {

#ifdef ABUT_PNG

void need_png() {}

void write_png(const std::string& path, const image& picture) {
  output_file file(path);
  std::vector<std::uint8_t> bytes;
  bytes.reserve(picture.pixels.size() * 3);
  for (const rgb& p : picture.pixels) bytes.insert(bytes.end(), {byte_of(p.r), byte_of(p.g), byte_of(p.b)});
  png_image what{};
  what.version = PNG_IMAGE_VERSION;
  what.width = static_cast<png_uint_32>(picture.width);
  what.height = static_cast<png_uint_32>(picture.height);
  what.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(what);
  std::vector<char> packed(size);
  if (png_image_write_to_memory(&what, packed.data(), &size, 0, bytes.data(), 0, nullptr) == 0) {
    throw error(fmt::format("{}: libpng cannot write it: {}", path, static_cast<const char*>(what.message)));
  }
  file.open();
  file.write(packed.data(), size);
  file.commit();
}

#else

void need_png() { throw error("this abut was built without libpng; install libpng-dev and build it again"); }

void write_png(const std::string&, const image&) { need_png(); }

#endif

}  // namespace abut::cli
