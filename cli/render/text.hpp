#pragma once

#include <string>
#include <string_view>

#include "render/image.hpp"
#include "render/strokes.hpp"

namespace abut::cli {

/// Where a text stands relative to the given spot.
enum class align : unsigned char { left, middle, right };

/// Writes a text in UTF-8. `at` is on its baseline; `size` is the height of its digits. Of a character that the font
/// lacks, a question mark is drawn.
void draw_text(image& to, std::string_view text, spot at, float size, const rgb& color, align how = align::left);
/// How wide a text is.
[[nodiscard]] float text_width(std::string_view text, float size);

/// The end of a text replaced by "..." if it is wider than `most`.
[[nodiscard]] std::string shortened(std::string_view text, float size, float most);

/// A number for people, with as many digits behind the point as the step between two such numbers needs: "0.50",
/// "2·10⁻⁷".
[[nodiscard]] std::string number_text(double value, double step);

}  // namespace abut::cli
