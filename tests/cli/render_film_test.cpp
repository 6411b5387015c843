// Films of `render`: pictures in a folder, a PNG that moves, and what ffmpeg makes.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <png.h>
#include <zlib.h>

#include <gtest/gtest.h>

#include "environment.hpp"
#include "run_program.hpp"

namespace render_film_test {
namespace {

using program::arguments;

struct chunk {
  std::string name, bytes;
};

std::uint32_t number_at(const std::string& bytes, std::size_t at, std::size_t count = 4) {
  std::uint32_t number = 0;
  for (std::size_t k = 0; k < count; ++k) number = number << 8U | static_cast<unsigned char>(bytes.at(at + k));
  return number;
}

std::string number(std::uint32_t value) {
  std::string bytes;
  for (unsigned k = 4; k-- > 0;) bytes += static_cast<char>(value >> (8 * k) & 0xffU);
  return bytes;
}

/// The chunks of a PNG, whose check sums must be right.
std::vector<chunk> chunks_of(const std::string& png) {
  std::vector<chunk> all;
  for (std::size_t at = 8; at + 12 <= png.size();) {
    const std::size_t length = number_at(png, at);
    const std::string named = png.substr(at + 4, length + 4);
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(named.data()), static_cast<uInt>(named.size()));
    EXPECT_EQ(number_at(png, at + 8 + length), sum) << named.substr(0, 4);
    all.push_back({named.substr(0, 4), named.substr(4)});
    at += 12 + length;
  }
  return all;
}

void append(std::string& png, const std::string& name, const std::string& bytes) {
  const std::string named = name + bytes;
  png += number(static_cast<std::uint32_t>(bytes.size())) + named;
  png += number(static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(named.data()), static_cast<uInt>(named.size()))));
}

std::vector<std::uint8_t> pixels_of(const std::string& bytes) {
  png_image what{};
  what.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&what, bytes.data(), bytes.size()) == 0) throw std::runtime_error(what.message);
  what.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> pixels(PNG_IMAGE_SIZE(what));
  if (png_image_finish_read(&what, nullptr, pixels.data(), 0, nullptr) == 0) throw std::runtime_error(what.message);
  return pixels;
}

class cli_render_film : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto made = program::run(folder, {"run", "elastic-gas", "--steps", "60", "--set", "bodies.0.count=50",
                                            "--set", "output.frames=2", "--threads", "1", "--out", "gas"});
    ASSERT_EQ(made.code, 0) << made.err;
  }
  std::string good(arguments args) {
    args.insert(args.begin(), "render");
    args.insert(args.end(), {"--film", "--size", "200x150"});
    const auto result = program::run(folder, args);
    EXPECT_EQ(result.code, 0) << result.err;
    return result.out;
  }
  void expect_error(arguments args, const std::string& line) {
    args.insert(args.begin(), "render");
    const auto result = program::run(folder, args);
    EXPECT_EQ(result.code, 2) << line;
    EXPECT_EQ(result.err, line + "\n");
  }

  program::folder folder;
};

TEST_F(cli_render_film, is_a_folder_of_pictures) {
  EXPECT_NE(good({"gas", "--out", "film"}).find("3 pictures in film"), std::string::npos);
  EXPECT_EQ(pixels_of(folder.read("film/frame-00002.png")).size(), 3U * 200 * 150);
}

// Its pictures, taken apart and put together as files of their own, are those of the folder.
TEST_F(cli_render_film, is_a_png_that_moves) {
  const std::string said = good({"gas", "--fps", "4", "--out", "gas.png"});
  EXPECT_NE(said.find("gas.png, a film of 3 pictures at 4 per second, 0.75 s"), std::string::npos) << said;
  good({"gas", "--out", "film"});
  const std::string film = folder.read("gas.png");
  EXPECT_EQ(pixels_of(film), pixels_of(folder.read("film/frame-00000.png")));
  std::vector<std::string> pictures;
  std::string header;
  std::uint32_t numbered = 0;
  for (const chunk& c : chunks_of(film)) {
    if (c.name == "IHDR") header = c.bytes;
    if (c.name == "acTL") {
      EXPECT_EQ(number_at(c.bytes, 0), 3U);
      EXPECT_EQ(number_at(c.bytes, 4), 0U);
    }
    if (c.name == "fcTL") {
      EXPECT_EQ(number_at(c.bytes, 0), numbered++);
      EXPECT_EQ(number_at(c.bytes, 4), 200U);
      EXPECT_EQ(number_at(c.bytes, 8), 150U);
      EXPECT_EQ(number_at(c.bytes, 20, 2), 250U);
      EXPECT_EQ(number_at(c.bytes, 22, 2), 1000U);
      pictures.push_back(film.substr(0, 8));
      append(pictures.back(), "IHDR", header);
    }
    if (c.name == "fdAT") {
      EXPECT_EQ(number_at(c.bytes, 0), numbered++);
    }
    if (c.name == "IDAT") append(pictures.back(), "IDAT", c.bytes);
    if (c.name == "fdAT") append(pictures.back(), "IDAT", c.bytes.substr(4));
  }
  ASSERT_EQ(pictures.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    append(pictures[k], "IEND", "");
    EXPECT_EQ(pixels_of(pictures[k]), pixels_of(folder.read("film/frame-0000" + std::to_string(k) + ".png"))) << k;
  }
}

TEST_F(cli_render_film, is_made_by_ffmpeg) {
  const support::environment_variable nowhere("PATH", folder.path().string());
  for (const std::string end : {"mp4", "webm", "gif"}) {
    const std::string without = good({"gas", "--fps", "10", "--out", "gas." + end});
    EXPECT_NE(without.find("ffmpeg is not installed"), std::string::npos) << without;
    EXPECT_NE(without.find("-framerate 10"), std::string::npos) << without;
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "gas-pictures/frame-00001.png"));
  }
  EXPECT_NE(good({"gas", "--out", "a b.gif"})
                .find("-i 'a b-pictures/frame-%05d.png' -vf 'split[a][b];[a]palettegen[p];[b][p]paletteuse' 'a b.gif'"),
            std::string::npos);
  // Something else of that name, which writes its last argument.
  folder.write("ffmpeg", "#!/bin/sh\nfor last; do :; done\necho film > \"$last\"\n");
  std::filesystem::permissions(folder.path() / "ffmpeg", std::filesystem::perms::owner_all);
  const std::string said = good({"gas", "--out", "gas.mp4"});
  EXPECT_NE(said.find("gas.mp4, a film of 3 pictures at 25 per second"), std::string::npos) << said;
  EXPECT_EQ(folder.read("gas.mp4"), "film\n");
  folder.write("ffmpeg", "#!/bin/sh\nexit 3\n");
  EXPECT_NE(good({"gas", "--out", "gas.mp4"}).find("failed with code 3"), std::string::npos);
}

TEST_F(cli_render_film, says_what_is_wrong) {
  expect_error({"gas", "--film", "--out", "gas.avi"},
               "--out gas.avi: a film is a .png (which moves in browsers), a folder, or by ffmpeg an .mp4, .webm or "
               ".gif");
  expect_error({"gas/state.vtp", "--film", "--out", "gas.png"},
               "--film: gas/state.vtp has no frames (output.frames of the scene makes some)");
  expect_error({"gas", "--fps", "10", "--out", "gas.png"}, "--fps is for films; add --film");
  expect_error({"gas", "--film", "--fps", "0", "--out", "gas.png"}, "--fps 0: pictures per second, from 0.1 to 100");
  expect_error({"gas", "--film", "--frame", "1", "--out", "gas.png"},
               "--frame chooses one frame, and --film shows all; give one");
}

}  // namespace
}  // namespace render_film_test
