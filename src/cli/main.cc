/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/program.h"

int
main(int argc, char** argv)
{
    return static_cast<int>(inca::RunProgram(argc, argv));
}
