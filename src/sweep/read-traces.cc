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
    auto known = m_traces.find(name);
    if (known == m_traces.end())
    {
        known = m_traces.emplace(name, Read(name)).first;
    }
    if (known->second.error)
    {
        throw InputError(*known->second.error);
    }
    return known->second.trace;
}

std::shared_ptr<const GradientTrace>
ReadTraces::Known(const std::string& name) const
{
    const auto known = m_traces.find(name);
    return known == m_traces.end() ? nullptr : known->second.trace;
}

ReadTraces::Outcome
ReadTraces::Read(const std::string& name)
{
    try
    {
        return {std::make_shared<const GradientTrace>(FindTrace(name)), {}};
    }
    catch (const InputError& error)
    {
        return {nullptr, error.Complaints()};
    }
}

} // namespace inca
