/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_KEY_COMPLAINT_H
#define INCA_BASE_KEY_COMPLAINT_H

#include <cstddef>
#include <string>
#include <vector>

namespace inca
{

/** A setting that, alone, does away with a complaint; as --set takes it. */
struct Remedy
{
    std::string key;
    std::string value;
};

/** What is wrong with one key because of others, or because it is missing. */
struct KeyComplaint
{
    std::string key;  ///< dotted
    std::string text; ///< what would be right
    /** Keys that it follows from, too: without them, or if one of them was refused, it says nothing. */
    std::vector<std::string> others;
    /** One of each key between which the user may choose; those that are no values are left out when told. */
    std::vector<Remedy> remedies{};
};

/** "; set switch.values_per_packet=364 or cluster.mtu=1504", say; empty without remedies. */
inline std::string
RemediesText(const KeyComplaint& complaint)
{
    std::string text;
    for (std::size_t i = 0; i < complaint.remedies.size(); ++i)
    {
        const auto& [key, value] = complaint.remedies[i];
        text += (i == 0 ? "; set " : " or ") + key + "=" + value;
    }
    return text;
}

} // namespace inca

#endif // INCA_BASE_KEY_COMPLAINT_H
