#include "random_scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <abut/error.hpp>

namespace random_scene {

using namespace abut::dem;

namespace {

constexpr double largest = 0.5;  // radius of the bodies at the start
constexpr std::array axes = {&vec::x, &vec::y, &vec::z};

class maker {
 public:
  explicit maker(choices& c) : c_(c) {}

  scene make() {
    dimension_ = c_.one_in(3) ? 2 : 3;
    s().dimension = dimension_;
    make_laws();
    make_space();
    make_bodies();
    make_walls();
    make_box();
    make_drives();
    make_flow();
    make_rest();
    make_events();
    make_time_step();
    out_.farthest_skin = 2 * largest;
    return std::move(out_);
  }

 private:
  settings& s() { return out_.s; }
  void has(const std::string& what) { out_.text += (out_.text.empty() ? "" : ", ") + what; }

  vec any_vec(double most) {
    vec v;
    for (int k = 0; k < dimension_; ++k) v.*axes[static_cast<std::size_t>(k)] = c_.uniform(-most, most);
    return v;
  }
  vec any_spin(double most) { return dimension_ == 2 ? vec{0, 0, c_.uniform(-most, most)} : any_vec(most); }
  // Along an axis, a diagonal, or anywhere.
  vec any_way(double most) {
    if (c_.one_in(3)) return any_vec(most);
    const double speed = c_.uniform(0, most);
    const bool diagonal = c_.one_in(2);
    const std::uint32_t axis = c_.below(static_cast<std::uint32_t>(dimension_));
    vec v;
    for (std::uint32_t k = 0; k < static_cast<std::uint32_t>(dimension_); ++k) {
      if (diagonal || k == axis) v.*axes[k] = c_.one_in(2) ? -speed : speed;
    }
    return v;
  }
  // In the part of space where bodies are, and `more` around it.
  vec any_place(double more) {
    vec at;
    for (int k = 0; k < dimension_; ++k) {
      const auto axis = axes[static_cast<std::size_t>(k)];
      at.*axis = c_.uniform(low_.*axis - more, high_.*axis + more);
    }
    return at;
  }
  unsigned any_material() { return c_.below(s().materials.size()); }

  void make_laws() {
    static constexpr std::array names = {"linear", "kelvin-voigt", "hooke", "hertz-mindlin", "own", "own with memory"};
    const std::string law = names[c_.below(names.size())];
    has(law);
    const auto interaction_of = [&] {
      interaction i{.stiffness = c_.uniform(500, 2000), .restitution = c_.uniform(0.2, 1)};
      if (c_.one_in(2)) i.friction = c_.uniform(0, 1);
      if (c_.one_in(3)) i.rolling_friction = c_.uniform(0, 0.3);
      if (law == "kelvin-voigt" && c_.one_in(2)) {
        i.restitution.reset();
        i.viscosity = 1;
        i.cohesion = c_.uniform(0, 5);
      }
      if (i.friction > 0) has("friction");
      if (i.rolling_friction > 0) has("rolling");
      return i;
    };
    s().materials = material_table(interaction_of());
    const std::uint32_t count = 1 + c_.below(3);
    for (std::uint32_t k = 0; k < count; ++k) {
      s().materials.add(
          {.name = "m" + std::to_string(k), .density = c_.uniform(0.5, 2), .young = 3e4, .poisson = 0.25});
    }
    if (count > 1 && c_.one_in(2)) s().materials.set(0, 1, interaction_of());
    if (law == "own") {
      s().contact_law = make_law([](contact& c) {
        c.force = c.normal * (1e3 * c.overlap) - c.velocity;
        c.stiffness = 1e3;
        c.viscosity = 1;
        c.energy = 500 * c.overlap * c.overlap;
      });
    } else if (law == "own with memory") {
      s().contact_law = make_law(
          [](contact& c) {
            const bool near = c.overlap > 0;
            for (std::size_t k = 0; k < 3; ++k) c.memory[k] = near ? c.memory[k] + c.slip.*axes[k] : 0;
            const vec slid{c.memory[0], c.memory[1], c.memory[2]};
            c.force = near ? c.normal * (1e3 * c.overlap) - slid * 200 - c.velocity : c.normal * -0.5;
            c.torque = c.spin * -0.01;
            c.stiffness = 1e3;
            c.viscosity = 1;
          },
          {.memory = 3, .reach = 0.05, .turns = true});
    } else {
      s().contact_law = named_law(law, s().materials);
    }
  }

  // Space is a lattice of places, one for each body or clump. A period is a little longer than two bodies, or more.
  void make_space() {
    for (std::uint32_t k = 0; k < 3; ++k) {
      const bool used = static_cast<int>(k) < dimension_;
      sites_[k] = used ? 2 + c_.below(dimension_ == 2 ? 4 : 2) : 1;
      low_.*axes[k] = used ? c_.uniform(-3, 3) : 0;
      high_.*axes[k] = used ? low_.*axes[k] + sites_[k] * spacing : 0;
      if (!used || !c_.one_in(3)) continue;
      s().periodic[k] = abut::interval{low_.*axes[k], high_.*axes[k]};
      has(std::string("period ") + "xyz"[k]);
    }
    if (c_.one_in(2)) s().gravity = any_vec(30);
  }

  void make_bodies() {
    const bool held = !c_.one_in(2);
    const double fastest = c_.one_in(2) ? 8 : c_.uniform(0, 0.5);  // slow ones do not hide how far walls move
    deforms_ = periodic() && c_.one_in(3);
    const bool clumps = c_.one_in(2);
    // At rest and just in touch, some by the last bit and some not, as a lattice in a user's scene is.
    const bool in_touch = c_.one_in(4);
    if (in_touch) has("in touch");
    const double equal = 0.75 * largest;
    std::uint32_t clump = c_.below(5);
    for (std::uint32_t z = 0; z < sites_[2]; ++z) {
      for (std::uint32_t y = 0; y < sites_[1]; ++y) {
        for (std::uint32_t x = 0; x < sites_[0]; ++x) {
          if (c_.one_in(4)) continue;
          body b;
          const std::array<std::uint32_t, 3> site = {x, y, z};
          for (std::size_t k = 0; k < static_cast<std::size_t>(dimension_); ++k) {
            b.position.*axes[k] = low_.*axes[k] + (site[k] + 0.5) * (in_touch ? 2 * equal : spacing);
          }
          b.velocity = any_vec(in_touch ? 0 : fastest);
          if (c_.one_in(3)) b.spin = any_spin(10);
          b.radius = in_touch ? equal : c_.uniform(0.5, 1) * largest;
          b.material = any_material();
          if (held && !deforms_) {
            const std::uint32_t how = c_.below(8);
            b.moves = how == 7 ? motion::fixed : how == 6 ? motion::driven : motion::free;
          }
          if (c_.one_in(6) && !clumps) b.mass = c_.uniform(0.1, 1);
          if (clumps && c_.one_in(3)) {
            add_clump(b, clump);
            clump += 1 + c_.below(2);
          } else {
            out_.bodies.push_back(b);
          }
        }
      }
    }
    if (out_.bodies.empty()) out_.bodies.push_back({.position = (low_ + high_) * 0.5, .radius = largest});
    has(std::to_string(out_.bodies.size()) + " bodies");
  }

  // Two or three balls within the place of one.
  void add_clump(body b, std::uint32_t number) {
    has("clump");
    has_clumps_ = true;
    b.clump = number;
    const vec center = b.position;
    const std::uint32_t count = 2 + c_.below(2);
    for (std::uint32_t k = 0; k < count; ++k) {
      vec off;
      for (std::size_t a = 0; a < static_cast<std::size_t>(dimension_); ++a)
        off.*axes[a] = c_.uniform(-0.2, 0.2) * largest;
      b.position = center + off;
      b.radius = c_.uniform(0.3, 0.6) * largest;
      out_.bodies.push_back(b);
    }
  }

  [[nodiscard]] bool periodic() { return s().periodic[0] || s().periodic[1] || s().periodic[2]; }
  [[nodiscard]] bool periodic_on(std::size_t k) { return s().periodic[k].has_value(); }

  void make_walls() {
    const std::uint32_t count = c_.below(4);
    for (std::uint32_t k = 0; k < count; ++k) add_wall();
  }

  // A plane beside the bodies, across an axis without a period.
  bool add_plane() {
    const std::size_t k = c_.below(static_cast<std::uint32_t>(dimension_));
    if (periodic_on(k)) return false;
    const bool above = c_.one_in(2);
    vec normal;
    normal.*axes[k] = above ? -1 : 1;
    vec point = low_;
    point.*axes[k] = above ? high_.*axes[k] : low_.*axes[k];
    s().walls.push_back(plane(point, normal, any_material()));
    wall& w = s().walls.back();
    has("plane");
    if (c_.one_in(3)) {
      w.pressed = servo{.force = c_.uniform(0, 20), .mass = c_.uniform(0.5, 3), .damping = c_.uniform(0, 5)};
      has("pressed");
    } else if (c_.one_in(2)) {
      w.velocity = normal * c_.uniform(-1, 3);
    }
    return true;
  }

  bool add_endless() {
    const std::size_t k = dimension_ == 2 ? 2 : c_.below(3);
    for (std::size_t other = 0; other < 3; ++other) {
      if (other != k && periodic_on(other)) return false;
    }
    vec axis;
    axis.*axes[k] = 1;
    const double radius = 0.55 * length(high_ - low_);
    if (c_.one_in(2)) {
      s().walls.push_back(endless_cylinder((low_ + high_) * 0.5, axis, radius, any_material()));
    } else {  // a post beside the bodies
      s().walls.push_back(endless_cylinder(low_ - (high_ - low_) * 0.3, axis, -0.2, any_material()));
    }
    has("endless cylinder");
    if (c_.one_in(2)) s().walls.back().spin = axis * c_.uniform(-5, 5);
    return true;
  }

  wall any_patches() {
    const unsigned material = any_material();
    if (dimension_ == 2) return segment(any_place(1), any_place(1) + vec{0.3, 0.1, 0}, material);
    const vec below{(low_.x + high_.x) / 2, (low_.y + high_.y) / 2, low_.z};
    const vec up{0, 0, 1};
    const double size = high_.x - low_.x;
    switch (c_.below(5)) {
      case 0:
        return cylinder(below - up, below + up * 3, 0.8 * size, material);
      case 1:
        return cone(below - up, below + up * 3, 0.1, 1.5 * size, material);
      case 2:
        return disc(below, any_vec(0.3) + up, size, c_.one_in(2) ? 0.3 * size : 0, material);
      case 3:
        return rectangle(low_ - vec{1, 1, 0}, {size + 2, 0, 0}, {0, size + 2, 0.2}, material);
      default:
        break;
    }
    std::vector<triangle> all;
    const std::uint32_t count = 1 + c_.below(4);
    const double wide = c_.one_in(3) ? 4 : 0.7;
    const vec at = any_place(0.7);
    for (std::uint32_t k = 0; k < count; ++k) {
      all.push_back({at + any_vec(wide), at + vec{wide, 0, 0} + any_vec(0.3), at + vec{0, wide, 0.1} + any_vec(0.3)});
    }
    return mesh(all, material);
  }

  // Small enough to fill the corners of its box, whose moves decide how long a list holds. It flies towards a body.
  wall any_speck() {
    const unsigned material = any_material();
    const vec way = any_way(20);
    const body& b = out_.bodies[c_.below(static_cast<std::uint32_t>(out_.bodies.size()))];
    const vec at = b.position - way * ((b.radius + c_.uniform(0.05, 0.6)) / std::max(length(way), 1.0));
    wall w = dimension_ == 2 ? segment(at, at + vec{0.02, 0.01, 0}, material)
                             : mesh({{at, at + vec{0.02, 0, 0.01}, at + vec{0, 0.02, 0.01}}}, material);
    w.velocity = way;
    return w;
  }

  void add_wall() {
    const std::uint32_t kind = c_.below(6);
    if (kind == 0 && !add_plane()) return;
    if (kind == 1 && !add_endless()) return;
    if (kind > 1 && deforms_) return;
    if (kind == 2) {  // a ball
      wall w;
      w.material = any_material();
      w.surface = [at = any_place(1)](const vec& center) {
        const vec off = center - at;
        const double size = length(off);
        return wall_point{size - 0.4, size > 0 ? off * (1 / size) : vec{1, 0, 0}};
      };
      w.velocity = any_vec(1);
      s().walls.push_back(std::move(w));
      has("own surface");
    }
    if (kind == 5) {
      s().walls.push_back(any_speck());
      has("speck");
    } else if (kind > 2) {
      s().walls.push_back(any_patches());
      wall& w = s().walls.back();
      has("patches");
      if (!c_.one_in(3)) w.velocity = any_way(4);
      if (c_.one_in(3)) w.spin = any_spin(3);
      w.center = any_place(0);
    }
    if (c_.one_in(5)) {
      s().walls.back().opens_at = c_.uniform(0, 0.1);
      has("opens");
    }
  }

  void make_box() {
    if (!deforms_) return;
    has("deforms");
    box_deformation how;
    for (std::size_t k = 0; k < 3; ++k) {
      if (!periodic_on(k)) continue;
      box_side& side = how.sides[k];
      switch (c_.below(4)) {
        case 0:
          side.rate = c_.uniform(-0.3, 0.6);
          break;
        case 1:
          side.rate_at = [most = c_.uniform(-0.5, 0.5)](double time) { return most * portable_sin(20 * time); };
          break;
        case 2:
          if (!planes_face()) break;
          side.held = box_servo{.pressure = c_.uniform(0, 3), .mass = 20, .damping = c_.uniform(0, 3), .limit = 1};
          break;
        default:
          break;
      }
    }
    if (c_.one_in(4)) how.begin = 0.02;
    if (c_.one_in(4)) how.end = 0.05;
    s().deform = how;
  }
  // Whether there is a volume, without which there is no stress.
  [[nodiscard]] bool planes_face() {
    for (std::size_t k = 0; k < static_cast<std::size_t>(dimension_); ++k) {
      if (!periodic_on(k)) return false;
    }
    return true;
  }

  void make_drives() {
    const auto any_motion = [&](bool turns) {
      const vec v = any_way(3);
      const vec w = turns ? any_spin(2) : vec{};
      return [v, w](double time) { return driven_motion{v * portable_sin(30 * time), w}; };
    };
    std::vector<std::uint32_t> driven;
    for (std::uint32_t k = 0; k < out_.bodies.size(); ++k) {
      const body& b = out_.bodies[k];
      if (b.moves == motion::driven && !b.clump) driven.push_back(k);
    }
    if (!driven.empty() && c_.one_in(2)) {
      s().drives.push_back({.bodies = driven, .at = any_motion(true)});
      has("drive");
    }
    for (std::size_t w = 0; w < s().walls.size(); ++w) {
      if (s().walls[w].pressed || s().walls[w].surface || deforms_ || !c_.one_in(4)) continue;
      s().drives.push_back({.walls = {w}, .at = any_motion(!s().walls[w].patches.empty())});
      has("driven wall");
    }
  }

  region any_region(double wide) {
    vec a = any_place(0.5), b;
    for (std::size_t k = 0; k < static_cast<std::size_t>(dimension_); ++k)
      b.*axes[k] = a.*axes[k] + wide + c_.uniform(0, 1);
    if (dimension_ == 3 && c_.one_in(3)) return cylinder_region(a, a + vec{0, 0, wide}, 0.5 * wide);
    return box_region(a, b);
  }

  void make_flow() {
    const std::uint32_t pours = c_.below(3);
    for (std::uint32_t k = 0; k < pours; ++k) {
      pour p;
      p.radii = {.largest = c_.uniform(0.2, 1.3) * largest};
      if (c_.one_in(2)) {
        p.radii.is = std::array{radius_distribution::law::uniform, radius_distribution::law::inverse_cube,
                                radius_distribution::law::by_mass}[c_.below(3)];
        p.radii.ratio = c_.uniform(1, 3);
      }
      p.into = any_region(2.5 * largest * 1.3);
      p.material = any_material();
      p.velocity = any_vec(3);
      p.spin = any_spin(3);
      if (c_.one_in(2)) p.count = 1 + c_.below(8);
      if (!p.count || c_.one_in(2)) p.rate = c_.uniform(50, 500);
      p.seed = c_.below(1000);
      p.every = 1 + c_.below(20);
      s().pours.push_back(p);
      has("pour");
    }
    const std::uint32_t removals = c_.below(3) / 2;
    for (std::uint32_t k = 0; k < removals; ++k) {
      removal r{.from = c_.one_in(2) ? any_region(1) : half_space(low_ + vec{0, 0.3, 0}, {0, -1, 0})};
      r.held = c_.one_in(4);
      r.every = 1 + c_.below(20);
      s().removals.push_back(r);
      has("removal");
    }
  }

  void make_rest() {
    if (!has_clumps_ && c_.one_in(4)) {
      s().moved_by = integrator::predictor_corrector;
      has("predictor-corrector");
    } else if (c_.one_in(4)) {
      s().half_step_velocities = true;
      has("half-step velocities");
    }
    s().energies = c_.one_in(2);
    if (s().energies) has("energies");
    s().sort_every = 1 + c_.below(c_.one_in(2) ? 40 : 1000);  // lists are made anew then, however long they would last
    if (c_.one_in(4)) s().keep_every = 1 + c_.below(10);
    out_.steps = 20 + c_.below(120);
  }

  void make_events() {
    const std::uint32_t count = c_.below(4);
    for (std::uint32_t k = 0; k < count; ++k) {
      event e{.step = c_.below(static_cast<std::uint32_t>(out_.steps))};
      switch (c_.below(4)) {
        case 0:
          make_addition(e);
          break;
        case 1: {
          e.name = "remove";
          std::vector<std::uint32_t> nth;
          for (std::uint32_t n = 0; n <= c_.below(3); ++n) nth.push_back(c_.below(20));
          e.happens = [nth](simulation& run) {
            std::vector<std::uint32_t> ids;
            std::vector<std::uint32_t> there = run.bodies().id;
            std::sort(there.begin(), there.end());
            for (const std::uint32_t n : nth) {
              if (n < there.size()) ids.push_back(there[n]);
            }
            run.remove(ids);
          };
          break;
        }
        case 2: {
          e.name = "drive";
          e.happens = [v = any_vec(2), n = c_.below(10)](simulation& run) {
            if (n < run.bodies().size()) run.drive(run.bodies().id[n], v);
          };
          break;
        }
        default: {
          e.name = "method";
          const std::string method = std::array{"grid", "pairing", "sweep-and-prune", "nearest-neighbor"}[c_.below(4)];
          e.happens = [method](simulation& run) { run.use_method(method); };
        }
      }
      has(e.name + " at " + std::to_string(e.step));
      out_.events.push_back(std::move(e));
    }
    std::stable_sort(out_.events.begin(), out_.events.end(),
                     [](const event& a, const event& b) { return a.step < b.step; });
  }

  // Several times as long as by default, so that much happens in few steps.
  void make_time_step() {
    const double factor = c_.uniform(1, 5);
    try {
      s().time_step = factor * simulation(s(), out_.bodies).time_step();
    } catch (const abut::error&) {
      has("cannot begin");
    }
  }

  void make_addition(event& e) {
    e.name = "add";
    std::vector<body> come;
    for (std::uint32_t n = 0; n <= c_.below(3); ++n) {
      body b{.position = any_place(2), .velocity = any_vec(3), .spin = any_spin(3)};
      b.radius = c_.uniform(0.3, 1.6) * largest;
      b.material = any_material();
      if (!deforms_ && c_.one_in(5)) b.moves = c_.one_in(2) ? motion::driven : motion::fixed;
      come.push_back(b);
    }
    e.happens = [come](simulation& run) { (void)run.add(come); };
  }

  static constexpr double spacing = 2.04 * largest;

  choices& c_;
  scene out_;
  int dimension_ = 3;
  bool deforms_ = false;
  bool has_clumps_ = false;
  std::array<std::uint32_t, 3> sites_{};
  vec low_, high_;
};

}  // namespace

scene any(choices& c) { return maker(c).make(); }

}  // namespace random_scene
