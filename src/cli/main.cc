/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "inca-main.h"

int
main(int argc, char** argv)
{
    return inca::Main(argc, argv);
}
