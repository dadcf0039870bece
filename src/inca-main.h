/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_MAIN_H
#define INCA_MAIN_H

namespace inca
{

/**
 * The whole `inca` program, for programs that first register rows of their own (RegisterCodec, and
 * Register of ExchangeCatalog, TopologyCatalog, AggregationSchemeCatalog and AggregationCatalog): scenarios, sweeps
 * and lists then know these names. Results go to stdout or a named file, complaints to stderr, one a line, each after
 * "inca: ". It throws nothing; link inca::main for it.
 * @return what the shell gets
 */
int Main(int argc, char** argv);

/**
 * Takes ns-3's variables (NS_ATTRIBUTE_DEFAULT, NS_GLOBAL_VALUE, ...) out of @p environment, since they change
 * results, or end the process, without a word in scenario or row. Main says so.
 */
void HideNs3Variables(int argc, char** argv, char** environment);

#if !defined(__PIC__) || defined(__PIE__)
/** Runs before the initialisers of ns-3's libraries, which read the variables; programs only can ask for that. */
[[gnu::section(".preinit_array"),
  gnu::used]] static void (*const g_hideNs3Variables)(int, char**, char**) = HideNs3Variables;
#endif

} // namespace inca

#endif // INCA_MAIN_H
