/* SPDX-License-Identifier: GPL-2.0-only */
/* Times MPI_Allreduce of floats, and prints it in the form of the Intel MPI Benchmarks. usage: allreduce MOST_BYTES */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int
main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const long most = argc > 1 ? atol(argv[1]) : 1L << 22;
    float* own = calloc((size_t)most + 4, 1);
    float* sum = calloc((size_t)most + 4, 1);
    if (rank == 0)
    {
        printf("# Benchmarking Allreduce\n# #processes = %d\n", ranks);
        printf("#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n");
    }
    for (long bytes = 4; bytes <= most; bytes *= 2)
    {
        const int repetitions = bytes <= 1 << 16 ? 50 : 8;
        double begin = 0;
        for (int i = -3; i < repetitions; ++i)
        {
            if (i == 0)
            {
                MPI_Barrier(MPI_COMM_WORLD);
                begin = MPI_Wtime();
            }
            MPI_Allreduce(own, sum, (int)(bytes / 4), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        }
        const double mine = (MPI_Wtime() - begin) / repetitions * 1e6;
        double least = 0;
        double longest = 0;
        double all = 0;
        MPI_Reduce(&mine, &least, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
        MPI_Reduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0)
        {
            printf("%ld %d %.2f %.2f %.2f\n", bytes, repetitions, least, longest, all / ranks);
            fflush(stdout);
        }
    }
    free(own);
    free(sum);
    MPI_Finalize();
    return 0;
}
