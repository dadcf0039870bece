/*
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * What an exchange makes of two workers' gradients, in C: a ring whose NICs compress. With an installed INCA:
 *
 *   cc sum.c -I/usr/include/inca -linca-values -o sum && ./sum
 */
#include "inca/values/inca-values.h"

#include <stdio.h>

int
main(void)
{
    const char* settings[] = {"cluster.workers=2", "codec.name=inceptionn", "codec.bound=2^-10"};
    const uint64_t tensors[] = {4};
    float first[] = {0.5F, 0.01F, 0.001F, 0};
    float second[] = {0.25F, 0.01F, 0.001F, 0};
    const float* own[] = {first, second};
    float* results[] = {first, second};
    inca_values_counts counts;
    char error[1000];
    inca_values* exchange = inca_values_open("\n", settings, 3, tensors, 1, error, sizeof error);
    if (exchange == NULL || inca_values_run(exchange, own, results, &counts, error, sizeof error) != INCA_VALUES_OK)
    {
        fprintf(stderr, "%s\n", error);
        return 2;
    }
    for (int i = 0; i < 4; ++i)
    {
        printf("%g %g\n", first[i], second[i]);
    }
    printf("%g bits per value, replicas differ by %g\n", counts.bits_per_value, counts.replica_difference);
    inca_values_close(exchange);
    return 0;
}
