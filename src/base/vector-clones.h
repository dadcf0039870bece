/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_VECTOR_CLONES_H
#define INCA_BASE_VECTOR_CLONES_H

/**
 * Before a function with a simple loop: it is compiled for wider vector units, too, and the machine takes
 * what it has. GCC's -O2 makes vectors of loops of fixed length only; src/sources.cmake lists the sources where it
 * shall do so with others. Results are the same to the bit, as arithmetic is never contracted or reordered.
 */
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) &&   \
    __GNUC__ >= 12 && !defined(__SANITIZE_ADDRESS__)
#define INCA_VECTOR_CLONES __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define INCA_VECTOR_CLONES
#endif

#endif // INCA_BASE_VECTOR_CLONES_H
