/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_SUPPORT_WHY_NOT_H
#define INCA_TEST_SUPPORT_WHY_NOT_H

#include "base/errors.h"

#include <string>

namespace inca
{

/** @return what the error says that @p step ends with; empty if it ends well. Other errors pass. */
template <typename Error = InputError, typename Step>
std::string
WhyNot(const Step& step)
{
    try
    {
        step();
    }
    catch (const Error& error)
    {
        return error.what();
    }
    return "";
}

} // namespace inca

#endif // INCA_TEST_SUPPORT_WHY_NOT_H
