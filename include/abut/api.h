#ifndef ABUT_API_H
#define ABUT_API_H

/// Marks what a shared library of abut offers to others; everything else in it is hidden.
#ifdef __GNUC__
#define ABUT_API __attribute__((visibility("default")))
#else
#define ABUT_API
#endif

#endif
