/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_PROGRAM_H
#define INCA_CLI_PROGRAM_H

#include "base/errors.h"

namespace inca
{

/**
 * The whole program: results go to stdout or a named file, complaints to stderr, one a line, each
 * after "inca: ".
 * @return what the shell gets
 */
ExitCode RunProgram(int argc, char** argv);

} // namespace inca

#endif // INCA_CLI_PROGRAM_H
