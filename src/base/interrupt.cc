/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/interrupt.h"

#include <csignal>

namespace inca
{

namespace
{

/** Signal handlers cannot be given anything, so this is a variable of the file. */
volatile std::sig_atomic_t g_signal = 0;

extern "C" void
RememberInterrupt(int signal)
{
    g_signal = signal;
}

void
Catch(int signal)
{
    struct sigaction before = {};
    if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN)
    {
        return;
    }
    struct sigaction action = {};
    action.sa_handler = RememberInterrupt;
    action.sa_flags = SA_RESETHAND;
    ::sigaction(signal, &action, nullptr);
}

} // namespace

Interrupted::Interrupted(int signal)
    : std::runtime_error("interrupted"),
      m_signal(signal)
{
}

void
CatchInterrupts()
{
    Catch(SIGINT);
    Catch(SIGTERM);
}

int
InterruptSignal()
{
    return g_signal;
}

void
ForgetInterrupt()
{
    g_signal = 0;
}

void
ThrowIfInterrupted()
{
    if (g_signal != 0)
    {
        throw Interrupted(g_signal);
    }
}

} // namespace inca
