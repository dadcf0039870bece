/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/address-table.h"

#include <utility>

namespace inca
{

void
AddressTable::Set(ns3::Mac48Address address, std::vector<std::size_t> ports)
{
    if (2 * (m_known + 1) > m_entries.size())
    {
        Grow();
    }
    auto& entry = EntryOf(MacNumber(address));
    m_known += entry.address == NOBODY ? 1 : 0;
    entry.address = MacNumber(address);
    if (ports.size() == 1)
    {
        entry.port = static_cast<std::uint32_t>(ports.front());
        entry.several = 0;
        return;
    }
    m_several.push_back(std::move(ports));
    entry.several = static_cast<std::uint32_t>(m_several.size());
}

/** Its own, or an empty one. */
AddressTable::Entry&
AddressTable::EntryOf(std::uint64_t number)
{
    auto place = number;
    while (true)
    {
        auto& entry = m_entries[place & (m_entries.size() - 1)];
        if (entry.address == number || entry.address == NOBODY)
        {
            return entry;
        }
        ++place;
    }
}

void
AddressTable::Grow()
{
    const auto before = std::exchange(m_entries, std::vector<Entry>(2 * m_entries.size()));
    for (const auto& entry : before)
    {
        if (entry.address != NOBODY)
        {
            EntryOf(entry.address) = entry;
        }
    }
}

} // namespace inca
