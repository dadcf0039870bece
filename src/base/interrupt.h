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
    Interrupted();
};

/** From here on SIGINT and SIGTERM are remembered; a second one ends the program at once. */
void CatchInterrupts();

/** @throws Interrupted if a signal has come; long work calls it now and then */
void ThrowIfInterrupted();

} // namespace inca

#endif // INCA_BASE_INTERRUPT_H
