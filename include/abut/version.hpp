#pragma once

/// The version of abut (semantic versioning). Written only here: the build reads it from this file.
#define ABUT_VERSION_MAJOR 0
#define ABUT_VERSION_MINOR 1
#define ABUT_VERSION_PATCH 0
#define ABUT_VERSION "0.1.0"
