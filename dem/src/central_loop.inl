// The loop over close pairs of laws that remember nothing, once per set of vector instructions: see vector_sets.hpp.

namespace abut::dem::ABUT_SET {

/// For a formula that remembers nothing: forces are along the normal, so only the normal part of the velocity matters,
/// and bodies do not turn. Four pairs at a time.
template <class Formula>
class central_loop {
 public:
  central_loop(const Formula& formula, const pair_arrays& a, close_part& part)
      : pairs_(formula.pairs.data()), a_(a), part_(part) {}

  void rows(row from, row to) const {
    const std::size_t block = (from - part_.from) / close_part::rows_at_once;
    const std::size_t first = part_.group_begin[block];
    const std::size_t last = part_.group_begin[block + 1];
    const row lead = from + part_.lead;
    if (a_.materials > 1) {
      part_.marks ? run<true, true, false>(first, last, lead) : run<true, false, false>(first, last, lead);
    } else if (part_.marks) {
      run<false, true, false>(first, last, lead);
    } else {
      a_.alike ? run<false, false, true>(first, last, lead) : run<false, false, false>(first, last, lead);
    }
    for (; part_.next_across < part_.across.size() && part_.across[part_.next_across].first < to; ++part_.next_across) {
      const row i = part_.across[part_.next_across].first;
      if (a_.border != nullptr) add_border(a_, part_, part_.next_across);
      a_.push[i] -= part_.pushes[part_.next_across].force;
      if (part_.marks) part_.mark_row(i);
    }
  }

  void across() const {
    for (std::size_t k = 0; k < part_.across.size(); k += 4) {
      pair_group g{};
      std::uint32_t shift[4];
      const std::size_t count = std::min<std::size_t>(4, part_.across.size() - k);
      for (std::size_t n = 0; n < 4; ++n) {
        const close_part::across_pair& p = part_.across[k + std::min(n, count - 1)];
        g.first[n] = offset_of(p.first);
        g.second[n] = offset_of(p.second);
        shift[n] = p.shift;
      }
      four force[4] = {};
      const alike_pairs same(*a_.body);  // not used
      (void)push<false>(g, shift, same, a_.materials > 1 ? numbers_of(g) : common(), force);
      for (std::size_t n = 0; n < count; ++n) part_.pushes[k + n].force = first_three(force[n]);
    }
  }

 private:
  using numbers = typename Formula::numbers;  // of a pair of materials

  [[nodiscard, gnu::always_inline]] auto common() const {
    return numbers::template join<four>(pairs_[0], pairs_[0], pairs_[0], pairs_[0]);
  }
  [[nodiscard, gnu::always_inline]] auto numbers_of(const pair_group& g) const {
    return numbers::template join<four>(pairs_[pair_of(g, 0)], pairs_[pair_of(g, 1)], pairs_[pair_of(g, 2)],
                                        pairs_[pair_of(g, 3)]);
  }
  [[nodiscard, gnu::always_inline]] std::size_t pair_of(const pair_group& g, std::size_t n) const {
    return a_.material[row_at(g.first[n])] * a_.materials + a_.material[row_at(g.second[n])];
  }

  template <bool Materials, bool Marks, bool Alike>
  [[gnu::always_inline]] void run(std::size_t from, std::size_t to, row lead) const {
    padded_vec* const sums = a_.push;
    const body_record* const body = a_.body;
    const pair_group* group = part_.groups.data() + from;
    const pair_group* const end = part_.groups.data() + to;
    const std::uint32_t* shifted = part_.group_shift.data() + from;
    const auto all = common();
    const alike_pairs same(*body);
    for (; group != end; ++group, ++shifted, ++lead) {
      fetch_far(body + lead);
      fetch_far(sums + lead);
      const record_offset ahead = group[close_part::groups_ahead].second[3];
      __builtin_prefetch(&record_at(body, ahead));
      __builtin_prefetch(&record_at(sums, ahead));
      const std::uint32_t* const shift = shifts_at(part_, *shifted);
      four force[4];
      unsigned touch = 0;
      if constexpr (Materials) {
        touch = push<Alike>(*group, shift, same, numbers_of(*group), force);
      } else {
        touch = push<Alike>(*group, shift, same, all, force);
      }
      if (touch == 0) continue;
      if (shift != nullptr && a_.border != nullptr) add_borders(a_, part_, *group, shift, force);
      if constexpr (Marks) {
        add_marked(*group, touch, force);
      } else {
        for (int n = 0; n < 4; ++n) {
          add_to(record_at(sums, group->second[n]), force[n]);
          take_from(record_at(sums, group->first[n]), force[n]);
        }
      }
    }
  }

  // Of the pairs that touch alone: few do.
  [[gnu::always_inline]] void add_marked(const pair_group& g, unsigned touch, const four* force) const {
    for (; touch != 0; touch &= touch - 1) {
      const int n = std::countr_zero(touch);
      add_to(record_at(a_.push, g.second[n]), force[n]);
      take_from(record_at(a_.push, g.first[n]), force[n]);
      part_.mark_row(row_at(g.first[n]));
      part_.mark_row(row_at(g.second[n]));
    }
  }

  // The forces of four pairs, not set if all are apart, else 0 for those that are. A bit is set for each that touches.
  // `shift` has a number for each, or is null.
  template <bool Alike, class Numbers>
  [[gnu::always_inline]] unsigned push(const pair_group& g, const std::uint32_t* shift, const alike_pairs& same,
                                       const Numbers& p, four* force) const {
    const body_record* const body = a_.body;
    four d[4];
    differences<Alike>(body, g, &body_record::at, d);
    if (shift != nullptr) {
      for (int n = 0; n < 4; ++n) d[n] += four_of(part_.shifts[shift[n]]);
    }
    const turned_over squares = turn_over(d[0] * d[0], d[1] * d[1], d[2] * d[2], d[3] * d[3]);
    const four d2 = squares.x + squares.y + squares.z;
    const four radii = Alike ? same.radii : turn_over(d[0], d[1], d[2], d[3]).w;
    const four most = Formula::reaches ? radii + a_.reach : radii;
    four_bits touch = d2 <= most * most;
    if (!any(touch)) return 0;
    const four distance = root(d2);
    central_contact<four> c;
    c.overlap = radii - distance;
    if (Formula::reaches) touch &= c.overlap >= -a_.reach;
    four inverse = distance * (1 / d2);  // of the distance; the division does not wait for the root
    if (any(d2 == 0)) [[unlikely]]
      take_x(d2, d, inverse);
    four m[4];
    differences<Alike>(body, read_again(g), &body_record::velocity, m);
    if (shift != nullptr && a_.border_moves) add_speeds(part_, shift, m);
    const turned_over products = turn_over(m[0] * d[0], m[1] * d[1], m[2] * d[2], m[3] * d[3]);
    c.apart = (products.x + products.y + products.z) * inverse;
    four mobility{};
    if constexpr (!Alike) mobility = turn_over(m[0], m[1], m[2], m[3]).w;
    if (!Alike && a_.lever != nullptr) {
      const turned_over normal = turn_over(d[0], d[1], d[2], d[3]);
      mobility += levers_of(a_.lever, g, {normal.x * inverse, normal.y * inverse, normal.z * inverse});
    }
    c.mass = Alike ? same.mass : 1 / mobility;
    const four first_radii = Alike ? same.radius_of_first : radii_of(body, g.first);
    c.radius = first_radii * (radii - first_radii) / radii;
    const four along = pick(touch, force_of(typename Formula::central{}, p, c) * inverse, four{});
    force[0] = d[0] * along[0];
    force[1] = d[1] * along[1];
    force[2] = d[2] * along[2];
    force[3] = d[3] * along[3];
    if constexpr (Formula::stiffens) check_four(a_.stable, g, touch, c);
    return bits_of(touch);
  }

  // The direction of bodies whose centers are at the same place.
  static void take_x(const four& d2, four* d, four& inverse) {
    for (int n = 0; n < 4; ++n) {
      if (d2[n] == 0) d[n] = four{1, 0, 0, d[n][3]};
    }
    inverse = pick(d2 == 0, four{1, 1, 1, 1}, inverse);
  }

  const numbers* pairs_;
  pair_arrays a_;
  close_part& part_;
};

}  // namespace abut::dem::ABUT_SET
