/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_INTERRUPT_H
#define INCA_BASE_INTERRUPT_H

#include <stdexcept>

namespace inca
{

/** The user pressed Ctrl-C (or sent SIGTERM): the work ends, nothing is left half-written. */
class Interrupted : public std::runtime_error
{
  public:
    /** @param signal SIGINT or SIGTERM */
    explicit Interrupted(int signal);

    int Signal() const
    {
        return m_signal;
    }

  private:
    int m_signal;
};

/**
 * From here on SIGINT and SIGTERM are remembered, and system calls that wait return with EINTR; the
 * second of a kind ends the program at once. What is ignored (as nohup and a shell's & do) stays so.
 */
void CatchInterrupts();

/** @return the signal that has come; 0: none */
int InterruptSignal();

/**
 * Forgets the signal that has come, so that what is still to be kept can be written. Another one ends the
 * program at once.
 */
void ForgetInterrupt();

/** @throws Interrupted if a signal has come; long work calls it now and then */
void ThrowIfInterrupted();

} // namespace inca

#endif // INCA_BASE_INTERRUPT_H
