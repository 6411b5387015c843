#pragma once

#include <memory>
#include <span>
#include <string_view>

#include <abut/api.h>
#include <abut/dem/law.hpp>
#include <abut/dem/materials.hpp>

namespace abut::dem {

/// An entry of the table of laws.
struct law_info {
  std::string_view name;      ///< for `named_law`
  std::string_view document;  ///< where it is described
  std::string_view summary;   ///< one line: its force
  std::string_view uses;      ///< the numbers of `interaction` and `material` that it uses
};

/// All laws that have a name.
[[nodiscard]] ABUT_API std::span<const law_info> laws();

/// The law of this name for these materials, of which it keeps what it needs. Throws `error` for an unknown name, and
/// for numbers that the law cannot work with, naming the materials.
[[nodiscard]] ABUT_API std::shared_ptr<const law> named_law(std::string_view name, const material_table& materials);

}  // namespace abut::dem
