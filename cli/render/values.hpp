#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "files/read_polydata.hpp"
#include "render/picture.hpp"

/// The numbers of bodies that colors show.
namespace abut::cli {

/// The vectors of an array; empty if it is null or has no vectors.
[[nodiscard]] std::vector<dem::vec> vectors_of(const polydata::array* from);

/// Sets the values of a color of the bodies that `bodies` holds, and what the color bar is like. They come from a
/// column (of a vector its length, or a component such as velocity.x), or from the contacts in `contacts_path`. Throws
/// `error` with the path if there is no such column or file. Leaves the values empty for a coordination that the file
/// lacks.
void set_values(picture_content& what, const std::string& color, const std::string& path, const polydata& bodies,
                const std::string& contacts_path);

/// The same for records of an .npy file, whose columns are numbers.
void set_values_of_npy(picture_content& what, const std::string& color, const std::string& path,
                       std::string_view bytes);

/// The contacts in a file, with their normal forces. Throws `error` if there is no such file.
[[nodiscard]] std::vector<force_line> read_forces(const std::string& path, const std::string& what_for);

}  // namespace abut::cli
