/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/interrupt.h"

#include <csignal>

namespace inca
{

namespace
{

/** Signal handlers cannot be given anything, so this is the one variable that a file shares. */
volatile std::sig_atomic_t g_interrupted = 0;

extern "C" void
RememberInterrupt(int signal)
{
    g_interrupted = 1;
    std::signal(signal, SIG_DFL);
}

} // namespace

Interrupted::Interrupted()
    : std::runtime_error("interrupted")
{
}

void
CatchInterrupts()
{
    std::signal(SIGINT, RememberInterrupt);
    std::signal(SIGTERM, RememberInterrupt);
}

void
ThrowIfInterrupted()
{
    if (g_interrupted != 0)
    {
        throw Interrupted();
    }
}

} // namespace inca
