#!/usr/bin/env bash
# The tests of installing and packaging, each by a project that uses the result: run.sh <test>, with the environment
# that CMakeLists.txt sets. Each works in a folder of its own, under $SCRATCH.
set -euo pipefail

consumers=$SOURCE/examples/consumer
prefix=$SCRATCH/prefix # where `install` has put abut

fail() { printf 'error: %s\n' "$1" >&2; exit 1; }

fresh() { # an empty folder $SCRATCH/$1, in which to go on
  rm -rf "${SCRATCH:?}/$1"
  mkdir -p "$SCRATCH/$1"
  cd "$SCRATCH/$1"
}

configure() { # <source> <cmake arguments>: into ./build
  "$CMAKE" -S "$1" -B build -G Ninja -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_C_COMPILER="$CC" \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "${@:2}"
}

run_examples() { # those that were built in the folder $1
  local name
  for name in first own_data first_c; do
    "$1/$name" >"$name.out" || fail "$name failed: $(cat "$name.out")"
  done
  grep -q "(abut $VERSION)" first.out || fail "first was compiled with another version: $(cat first.out)"
  grep -q "(abut $VERSION)" first_c.out || fail "first_c runs with another version: $(cat first_c.out)"
}

no_flags_leak() { # what abut is compiled with is not for others
  ! grep -E '(first|own_data)\.c' build/compile_commands.json | grep -E -- '-Wconv|-Werror|-ffp-contract|-fopenmp' ||
    fail "flags of abut's own reach the compilation of who uses it"
}

use_by_find_package() { # <prefix>
  configure "$consumers/find_package" -DCMAKE_PREFIX_PATH="$1"
  "$CMAKE" --build build
  no_flags_leak
  run_examples build
}

use_by_pkg_config() { # <prefix> <mode>
  mkdir -p by_pkg_config
  PKG_CONFIG_PATH=$(dirname "$(find "$1" -name abut.pc)")
  export PKG_CONFIG_PATH
  [ "$(pkg-config --modversion abut)" = "$VERSION" ] || fail "abut.pc says version $(pkg-config --modversion abut)"
  MODE=$2 CXX=$CXX CC=$CC "$consumers/pkg_config/build.sh" by_pkg_config
  run_examples by_pkg_config
}

# Installed in one place and used in another: nothing in it may depend on where it lies.
test_install() {
  fresh elsewhere
  rm -rf "$prefix"
  "$CMAKE" --install "$BUILD" --prefix "$PWD/installed"
  mv installed "$prefix"
  local header
  for header in "$SOURCE"/include/abut/*; do
    cmp "$header" "$prefix/include/abut/$(basename "$header")"
  done
  [ "$("$prefix/bin/abut" --version)" = "abut $VERSION" ] || fail "the program says $("$prefix/bin/abut" --version)"
  ! grep -rlF -e "$SOURCE" -e "$BUILD" -e "$PWD" "$prefix/lib/cmake" "$prefix/lib/pkgconfig" ||
    fail "these name folders of the build"
}

test_find_package() { fresh find_package; use_by_find_package "$prefix"; }

# The simulation is a component; one that does not exist is refused by name.
test_dem() {
  fresh dem
  configure "$consumers/dem" -DCMAKE_PREFIX_PATH="$prefix"
  "$CMAKE" --build build
  build/dem_law >dem_law.out || fail "dem_law failed: $(cat dem_law.out)"
  cmp "$SOURCE/dem/include/abut/dem/simulation.hpp" "$prefix/include/abut/dem/simulation.hpp"
  rm -rf build
  # Without its name the component is there all the same.
  configure "$consumers/dem" -DCMAKE_PREFIX_PATH="$prefix" -Dcomponent= || fail "abut::dem needs COMPONENTS dem"
  rm -rf build
  ! configure "$consumers/dem" -DCMAKE_PREFIX_PATH="$prefix" -Dcomponent=dam >out 2>&1 || fail "a component dam was found"
  tr -s ' \n' ' ' <out | grep 'has no component dam' >/dev/null || fail "no word on the component: $(cat out)"
}

test_pkg_config() {
  fresh pkg_config
  use_by_pkg_config "$prefix" --static
  # A module of another language is a shared library that holds the static one.
  local flags
  read -ra flags <<<"$(pkg-config --cflags --static --libs abut)"
  "$CC" -std=c99 -shared -fPIC -Wl,--no-undefined "$SOURCE/examples/c/first.c" -o module.so "${flags[@]}"
  [ ! -e "$(dirname "$(find "$prefix" -name abut.pc)")/abut-dem.pc" ] || use_dem_by_pkg_config
}

use_dem_by_pkg_config() {
  local flags
  read -ra flags <<<"$(pkg-config --cflags --static --libs abut-dem)"
  [[ " ${flags[*]} " = *' -ffp-contract=off '* ]] || fail "abut-dem.pc lets the compiler fuse operations: ${flags[*]}"
  "$CXX" -std=c++20 "$SOURCE/examples/dem_law.cpp" -o dem_law "${flags[@]}"
  ./dem_law >dem_law.out || fail "dem_law failed: $(cat dem_law.out)"
}

# abut's own version and its neighbors, and what the documentation tells to ask for.
test_versions() {
  fresh versions
  local written
  written=$(grep -rhoE 'find_package\(abut [0-9.]+' "$SOURCE"/{README.md,docs,examples} | grep -oE '[0-9.]+$' | sort -u)
  configure "$SOURCE/tests/packaging/versions" -DCMAKE_PREFIX_PATH="$prefix" -Dwanted="$VERSION" \
    -Dwritten="${written//$'\n'/;}"
}

test_fetched() {
  fresh fetched
  configure "$SOURCE/tests/packaging/fetched" -DABUT_SOURCE="$SOURCE"
  ninja -C build -t query first | grep libabut.a >/dev/null || fail "first is not linked with abut"
  ninja -C build -t query dem_law | grep libabut_dem.a >/dev/null || fail "dem_law is not linked with abut_dem"
  ! ninja -C build -t query all | grep libabut_dem.a || fail "the simulation is built for those who do not use it"
}

test_only_c() {
  fresh only_c
  ! configure "$SOURCE/tests/packaging/only_c" -DCMAKE_PREFIX_PATH="$prefix" -DEXAMPLES="$SOURCE/examples" \
    >out 2>&1 || fail "a project without C++ took a static abut"
  tr -s ' \n' ' ' <out | grep 'write project(... LANGUAGES C CXX)' >/dev/null || fail "no word on the way out: $(cat out)"
}

# Built along with a project: the library alone, without its program, its tests and its rules to install. It is a shared
# one here, so that test_shared need not compile it again; the examples of the main build are linked with a static one.
test_add_subdirectory() {
  # What was compiled stays, for the next time; what test_shared has set does not.
  mkdir -p "$SCRATCH/add_subdirectory"
  cd "$SCRATCH/add_subdirectory"
  rm -rf installed
  # With the main build's options, so that its objects can serve: only what is compiled otherwise is compiled again.
  local same
  read -ra same <<<"$OPTIONS"
  configure "$consumers/add_subdirectory" -UABUT_INSTALL -UCMAKE_INSTALL_LIBDIR -DBUILD_SHARED_LIBS=ON \
    -DCMAKE_CXX_FLAGS="$CXX_FLAGS" -DCMAKE_BUILD_TYPE="$BUILD_TYPE" "${same[@]}" \
    -DCMAKE_CXX_COMPILER_LAUNCHER="$PYTHON;$SOURCE/tests/packaging/reuse.py;$BUILD/compile_commands.json"
  "$CMAKE" --build build -- -j "$JOBS"
  no_flags_leak
  run_examples build
  ! find build -name abut -type f | grep . || fail "the program was built along"
  "$CMAKE" --install build --prefix "$PWD/installed"
  ! find installed -type f 2>/dev/null | grep . || fail "abut installs itself along with who uses it"
}

# Optimized where the project that builds abut along says nothing of it, and that project's own files left alone.
test_optimized() {
  fresh optimized
  configure "$consumers/add_subdirectory"
  grep -F 'src/search/search.cpp' build/compile_commands.json | grep -F -- ' -O2 ' >/dev/null || fail "abut is not optimized"
  ! grep -E '(first|own_data)\.c' build/compile_commands.json | grep -F -- ' -O' || fail "its user's files are optimized"
  local said
  for said in -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS=-Og; do
    rm -rf build
    configure "$consumers/add_subdirectory" "$said"
    ! grep -F -- ' -O2 ' build/compile_commands.json || fail "abut is optimized in spite of $said"
  done
}

# The manual page names every option of the program, and no other.
test_manual() {
  fresh manual
  local abut=$prefix/bin/abut page=$prefix/share/man/man1/abut.1 verb verbs
  "$abut" --help >help
  mapfile -t verbs < <(sed -n '/^Verbs:/,/^$/s/^  \([a-z]\+\) .*/\1/p' help)
  for verb in "${verbs[@]}"; do
    grep -q "^\.B $verb\$" "$page" || fail "the manual page, docs/abut.1, does not describe the verb $verb"
    "$abut" "$verb" --help >>help
  done
  "$abut" bench planner --help >>help
  grep -oE -- '^ +(-h,)?--[a-z-]+(,--[a-z-]+)?' help | grep -oE -- '--[a-z-]+' | sort -u >in_help
  sed 's/\\-/-/g' "$page" | grep -oE -- '--[a-z][a-z-]*' | sort -u >on_page
  diff in_help on_page || fail "the options of the program (<) and of its manual page, docs/abut.1 (>), differ"
}

test_shared() {
  "$CMAKE" "$SCRATCH/add_subdirectory/build" -DABUT_INSTALL=ON -DCMAKE_INSTALL_LIBDIR=lib
  fresh shared
  "$CMAKE" --install "$SCRATCH/add_subdirectory/build" --prefix "$PWD/installed"
  local name=libabut.so.${VERSION%%.*} # before 1.0 each minor version has a name of its own
  [[ "$VERSION" != 0.* ]] || name=libabut.so.${VERSION%.*}
  [ -f "installed/lib/libabut.so.$VERSION" ] || fail "no libabut.so.$VERSION"
  readelf -d "installed/lib/$name" | grep -F "soname: [$name]" >/dev/null || fail "the library's name is not $name"
  "$PYTHON" "$SOURCE/tests/packaging/exported.py" "installed/lib/$name" "$SOURCE/include/abut"
  export LD_LIBRARY_PATH=$PWD/installed/lib
  local installed=$PWD/installed
  use_by_pkg_config "$installed" ""
  local flags
  read -ra flags <<<"$(pkg-config --cflags --libs abut)"
  "$CXX" -std=c++20 -fvisibility=hidden "$SOURCE/tests/packaging/catches.cpp" -o catches "${flags[@]}"
  ./catches || fail "an abut::error is not caught as one"
  ! readelf -d by_pkg_config/first_c | grep -E 'NEEDED.*(gomp|stdc)' || fail "a C program has to know what abut needs"
  # A project in C alone is enough here, and OpenMP is nothing that it must have.
  configure "$SOURCE/tests/packaging/only_c" -DCMAKE_PREFIX_PATH="$installed" -DEXAMPLES="$SOURCE/examples"
  "$CMAKE" --build build
  readelf -d build/first_c | grep -F "[$name]" >/dev/null || fail "first_c is not linked with $name"
  build/first_c
}

test_deb() {
  fresh deb
  "$CPACK" -G DEB --config "$BUILD/CPackConfig.cmake" -B "$PWD"
  local package
  package=abut_${VERSION}_$(dpkg --print-architecture).deb
  [ -f "$package" ] || fail "no $package but $(ls)"
  dpkg-deb --info "$package"
  [ "$(dpkg-deb --field "$package" Version)" = "$VERSION" ] || fail "its version is not $VERSION"
  local depends wanted
  depends=$(dpkg-deb --field "$package" Depends)
  for wanted in $NEEDS; do
    [[ ", $depends," == *", $wanted"[,\ ]* ]] || fail "it does not depend on $wanted but on $depends"
  done
  dpkg-deb --contents "$package" | awk '$2 != "root/root" { exit 1 }' || fail "not all of it is root's"
  dpkg-deb -x "$package" extracted
  [ "$(extracted/usr/bin/abut --version)" = "abut $VERSION" ] || fail "the program does not tell version $VERSION"
  printf 'x,y,r\n0,0,0.5\n1,0,0.5\n' >discs.csv
  extracted/usr/bin/abut find discs.csv --pairs pairs.csv
  grep -qx 0,1 pairs.csv || fail "the program has not found the pair"
  # With the prefix /usr, as the documentation has it, abut.pc lies in the folder of the architecture.
  [ -z "$LINTIAN" ] || "$LINTIAN" --allow-root --suppress-tags pkg-config-unavailable-for-cross-compilation \
    --fail-on error,warning --tag-display-limit 0 "$package"
  use_by_find_package "$PWD/extracted/usr"
  use_by_pkg_config "$PWD/extracted/usr" --static
}

"test_$1"
