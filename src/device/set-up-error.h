/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_SET_UP_ERROR_H
#define INCA_DEVICE_SET_UP_ERROR_H

#include "inca/base/errors.h"

#include "ns3/abort.h"

#include <stdexcept>
#include <string>

namespace inca
{

/**
 * What a set-up that cannot run does: it ends the program as ns-3's own models do, with the text on standard error; or, in a
 * program that asked for it, throws an InputError.
 * @{
 */
inline bool g_throwsSetUpErrors{false};

inline void
ThrowSetUpErrors()
{
    g_throwsSetUpErrors = true;
}

inline void
ThrowIfAsked(const std::string& text)
{
    if (g_throwsSetUpErrors)
    {
        throw InputError(text);
    }
}

/** @return what @p action does, which may throw an error of a layer without ns-3, as part of a set-up */
template <typename Action>
auto
AsSetUp(Action action)
{
    std::string text; // the program ends outside of the handler, which would show it once more
    try
    {
        return action();
    }
    catch (const std::runtime_error& error) // an InputError, UnitError or RunError
    {
        if (g_throwsSetUpErrors)
        {
            throw;
        }
        text = error.what();
    }
    NS_ABORT_MSG(text);
}
/** @} */

} // namespace inca

/** NS_ABORT_MSG_IF, or an InputError where these are asked for. @p text is made only if the condition holds. */
#define INCA_ABORT_MSG_IF(condition, text)                                                         \
    do                                                                                             \
    {                                                                                              \
        if (condition)                                                                             \
        {                                                                                          \
            const std::string incaText(text);                                                      \
            inca::ThrowIfAsked(incaText);                                                          \
            NS_ABORT_MSG(incaText);                                                                \
        }                                                                                          \
    } while (false)

#endif // INCA_DEVICE_SET_UP_ERROR_H
