/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/catalog.h"

namespace inca
{

bool
IsRowName(std::string_view name)
{
    constexpr std::string_view letters{"abcdefghijklmnopqrstuvwxyz"};
    constexpr std::string_view all{"abcdefghijklmnopqrstuvwxyz0123456789-"};
    return !name.empty() && letters.find(name.front()) != std::string_view::npos &&
           name.find_first_not_of(all) == std::string_view::npos;
}

} // namespace inca
