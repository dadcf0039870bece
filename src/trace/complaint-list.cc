/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/complaint-list.h"

#include "base/errors.h"

#include <utility>

namespace inca
{

namespace
{

constexpr std::size_t g_mostComplaints = 20;

} // namespace

ComplaintList::ComplaintList(std::string file)
    : m_file(std::move(file))
{
}

void
ComplaintList::Add(unsigned line, const std::string& key, const std::string& text, unsigned column)
{
    if (m_complaints.size() == g_mostComplaints)
    {
        ++m_leftOut;
        return;
    }
    m_complaints.push_back(InputPlace{m_file, line, column, key}.Prefix() + text);
}

bool
ComplaintList::IsEmpty() const
{
    return m_complaints.empty();
}

void
ComplaintList::ThrowIfAny() const
{
    if (IsEmpty())
    {
        return;
    }
    auto complaints = m_complaints;
    if (m_leftOut > 0)
    {
        complaints.push_back(m_file + ": and " + std::to_string(m_leftOut) + " more");
    }
    throw InputError(std::move(complaints));
}

} // namespace inca
