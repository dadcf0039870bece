/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_MAIN_H
#define INCA_MAIN_H

namespace inca
{

/**
 * The whole `inca` program, for programs that first register rows of their own (RegisterCodec,
 * RegisterExchange, RegisterTopology, RegisterAggregation): scenarios, sweeps and lists then know
 * these names. Results go to stdout or a named file, complaints to stderr, one a line, each after
 * "inca: ". It throws nothing; link inca::main for it.
 * @return what the shell gets
 */
int Main(int argc, char** argv);

} // namespace inca

#endif // INCA_MAIN_H
