#pragma once

// What the documentation's fragments may take for granted.

#include <abut/abut.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <optional>
#include <span>
#include <string>
#include <vector>

inline std::vector<double> x(100), y(100), z(100), r(100);  // NOLINT: the documents' own names
inline abut::search search;
