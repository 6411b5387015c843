// `sure_pairs`: where the grid's kernels collect pairs. Like Highway's own headers, this one is included once per
// instruction set.

#if defined(ABUT_SURE_PAIRS_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ABUT_SURE_PAIRS_HPP
#undef ABUT_SURE_PAIRS_HPP
#else
#define ABUT_SURE_PAIRS_HPP
#endif

#include <hwy/highway.h>

#include "base/compress.hpp"
#include "bodies/batch.hpp"

HWY_BEFORE_NAMESPACE();
namespace abut::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using tag_u = hn::CappedTag<std::uint32_t, 16>;

/// Collects sure pairs until a batch is worth passing on. The caller keeps their number, so that it stays in a
/// register.
class sure_pairs {
 public:
  explicit sure_pairs(pair_batch& out) : out_(out) {}

  /// Adds a pair. Returns the new size, as do the others.
  HWY_INLINE std::size_t add(std::uint32_t target, std::uint32_t other, std::size_t size) {
    targets_[size] = target;
    others_[size] = other;
    return size + 1;
  }
  /// Adds the partners of one target, which `name` fills in later, in the lanes of `which`.
  HWY_INLINE std::size_t add(hn::Vec<tag_u> others, hn::Mask<tag_u> which, std::size_t size) {
    const tag_u du;
    hn::StoreU(compress(du, others, which), du, others_ + size);
    return size + hn::CountTrue(du, which);
  }
  /// Where the next target and its partner go, for kernels that write more of them at once.
  [[nodiscard]] HWY_INLINE std::uint32_t* targets(std::size_t size) { return targets_ + size; }
  [[nodiscard]] HWY_INLINE std::uint32_t* others(std::size_t size) { return others_ + size; }

  /// Sets the target of the pairs from `begin` on. Few bodies have more than one vector of partners.
  HWY_INLINE void name(std::uint32_t target, std::size_t begin, std::size_t size) {
    const tag_u du;
    const auto row = hn::Set(du, target);
    hn::StoreU(row, du, targets_ + begin);
    if (HWY_LIKELY(size - begin <= hn::Lanes(du))) return;
    for (begin += hn::Lanes(du); begin < size; begin += hn::Lanes(du)) hn::StoreU(row, du, targets_ + begin);
  }
  /// Whether there may be too little room for the next few vectors.
  [[nodiscard]] static HWY_INLINE bool full(std::size_t size) { return size > limit; }

  HWY_NOINLINE std::size_t flush(std::size_t size) {
    const tag_u du;
    pair* const pairs = out_.room(size);
    for (std::size_t k = 0; k < size; k += hn::Lanes(du)) {
      const auto a = hn::LoadU(du, targets_ + k);
      const auto b = hn::LoadU(du, others_ + k);
      hn::StoreInterleaved2(hn::Min(a, b), hn::Max(a, b), du, reinterpret_cast<std::uint32_t*>(pairs + k));
    }
    out_.took(size);
    return 0;
  }

 private:
  static constexpr std::size_t limit = 384;
  static constexpr std::size_t capacity = limit + 96;  // six vectors of sixteen lanes more

  static_assert(capacity <= pair_batch::capacity);

  pair_batch& out_;
  alignas(64) std::uint32_t others_[capacity];
  alignas(64) std::uint32_t targets_[capacity];
};

}  // namespace abut::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
