#ifndef ABUT_API_H
#define ABUT_API_H

/// Marks what abut exports when it is built as a shared library; all other symbols are hidden.
#ifdef __GNUC__
#define ABUT_API __attribute__((visibility("default")))
#else
#define ABUT_API
#endif

#endif
