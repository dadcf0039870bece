/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/read-traces.h"

#include "base/errors.h"
#include "trace/trace-catalog.h"

namespace inca
{

std::shared_ptr<const GradientTrace>
ReadTraces::Get(const std::string& name)
{
    auto& read = m_traces[name];
    if (!read.trace && !read.error)
    {
        Read(name, read);
    }
    if (read.error)
    {
        throw InputError(*read.error);
    }
    return read.trace;
}

void
ReadTraces::Read(const std::string& name, Outcome& outcome)
{
    try
    {
        outcome.trace = std::make_shared<const GradientTrace>(FindTrace(name));
    }
    catch (const InputError& error)
    {
        outcome.error = error.Complaints();
    }
}

} // namespace inca
