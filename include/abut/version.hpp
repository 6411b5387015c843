#pragma once

/// The version of abut: semantic, and written in this place only (the build reads it from here).
#define ABUT_VERSION_MAJOR 0
#define ABUT_VERSION_MINOR 1
#define ABUT_VERSION_PATCH 0
#define ABUT_VERSION "0.1.0"
