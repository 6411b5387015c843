#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "files/output_file.hpp"
#include "render/image.hpp"

namespace abut::cli {

/// Throws `error` if this abut was built without libpng.
void need_png();

/// Writes a picture as PNG, 8 bits per color. The bytes depend on the picture alone. Throws `error` with the path.
void write_png(const std::string& path, const image& picture);

/// A PNG that moves (APNG): browsers show its pictures one after the other, again and again; other programs show the
/// first one.
class png_film {
 public:
  /// Opens the file for a film of this number of pictures. Throws `error` with the path.
  png_film(std::string path, std::size_t pictures, double per_second);

  /// Writes the next picture. All have the size of the first.
  void add(const image& picture);
  /// Ends the file, after the last picture.
  void commit();

 private:
  void write_chunk(const char* name, const std::string& bytes);

  std::string path_;
  std::size_t pictures_;
  double per_second_;
  output_file file_;
  std::uint32_t written_ = 0;  // of the chunks that are numbered
  bool begun_ = false;
};

}  // namespace abut::cli
