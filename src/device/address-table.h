/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_ADDRESS_TABLE_H
#define INCA_DEVICE_ADDRESS_TABLE_H

#include "device/mac-hash.h"

#include "ns3/mac48-address.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace inca
{

/**
 * Which ports lead to a host: a hash table in one piece of memory, as a switch looks up every frame.
 * Where one port does, that is read in the table itself.
 */
class AddressTable
{
  public:
    /** Who asks gets one or several of a switch's ports; none if the address is unknown. */
    class Ports
    {
      public:
        Ports() = default;

        Ports(std::uint32_t port, const std::vector<std::size_t>* several)
            : m_port(port),
              m_several(several),
              m_known(true)
        {
        }

        explicit operator bool() const
        {
            return m_known;
        }

        std::size_t Count() const
        {
            return m_several == nullptr ? 1 : m_several->size();
        }

        std::size_t operator[](std::size_t i) const
        {
            return m_several == nullptr ? m_port : (*m_several)[i];
        }

      private:
        std::uint32_t m_port{0};
        const std::vector<std::size_t>* m_several{nullptr};
        bool m_known{false};
    };

    /** @param ports at least one */
    void Set(ns3::Mac48Address address, std::vector<std::size_t> ports);

    /** Until the next Set. */
    Ports Find(ns3::Mac48Address address) const
    {
        const auto number = MacNumber(address);
        for (auto place = number;; ++place)
        {
            const auto& entry = m_entries[place & (m_entries.size() - 1)];
            if (entry.address == number)
            {
                return {entry.port, entry.several == 0 ? nullptr : &m_several[entry.several - 1]};
            }
            if (entry.address == NOBODY)
            {
                return {};
            }
        }
    }

  private:
    static constexpr std::uint64_t NOBODY{~std::uint64_t{0}}; ///< longer than an address
    static constexpr std::size_t FIRST_ENTRIES{16};

    struct Entry
    {
        std::uint64_t address{NOBODY};
        std::uint32_t port{0};
        std::uint32_t several{0}; ///< place in m_several, from 1; 0: one port
    };

    Entry& EntryOf(std::uint64_t number);
    void Grow();

    std::vector<Entry> m_entries =
        std::vector<Entry>(FIRST_ENTRIES); ///< a power of two, half of them empty
    std::size_t m_known{0};
    std::vector<std::vector<std::size_t>> m_several;
};

} // namespace inca

#endif // INCA_DEVICE_ADDRESS_TABLE_H
