/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_KEY_COMPLAINT_H
#define INCA_BASE_KEY_COMPLAINT_H

#include <string>
#include <vector>

namespace inca
{

/** What is wrong with one key because of others, or because it is missing. */
struct KeyComplaint
{
    std::string key;  ///< dotted
    std::string text; ///< what would be right
    /** Keys that it follows from, too: without them, or if one of them was refused, it says nothing. */
    std::vector<std::string> others;
};

} // namespace inca

#endif // INCA_BASE_KEY_COMPLAINT_H
