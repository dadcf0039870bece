/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_TRANSPORT_ALL_SENT_H
#define INCA_TEST_TRANSPORT_ALL_SENT_H

#include "transport/send-connection.h"

#include <cstdint>
#include <vector>

namespace inca
{

/** Sends all that may be sent at @p nowPs. @return the frames' numbers */
inline std::vector<std::uint64_t>
SendAllOf(SendConnection& connection, std::int64_t nowPs)
{
    std::vector<std::uint64_t> numbers;
    while (connection.HasFrame())
    {
        const auto frame = connection.NextFrame();
        connection.Sent(frame, nowPs);
        numbers.push_back(frame.number);
    }
    return numbers;
}

} // namespace inca

#endif // INCA_TEST_TRANSPORT_ALL_SENT_H
