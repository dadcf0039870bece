/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/resource-times.h"

namespace inca
{

namespace
{

constexpr double g_psPerSecond = 1e12;

} // namespace

LimitedTime
OnLink(std::uint64_t wireBytes, std::uint64_t bitsPerSecond)
{
    return {Limit::LINK,
            static_cast<double>(wireBytes) * 8 * g_psPerSecond /
                static_cast<double>(bitsPerSecond)};
}

LimitedTime
OnHost(std::uint64_t bytes, std::uint64_t bytesPerSecond)
{
    return bytesPerSecond == 0 ? LimitedTime{}
                               : LimitedTime{Limit::HOST,
                                             static_cast<double>(bytes) * g_psPerSecond /
                                                 static_cast<double>(bytesPerSecond)};
}

LimitedTime
MovingFrames(const HostSettings& host, std::uint64_t frames, std::uint64_t bytes)
{
    return OnHost(bytes, host.byteBytesPerSecond) +
           LimitedTime{Limit::HOST,
                       static_cast<double>(frames) * static_cast<double>(host.frameCostPs)};
}

} // namespace inca
