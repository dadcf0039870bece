/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_NEAREST_H
#define INCA_BASE_NEAREST_H

#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/**
 * @return the known name that is nearest to @p name by edits of one character (insert, delete,
 * replace, swap neighbours), or empty where none is near enough to be what was meant
 */
std::string Nearest(std::string_view name, const std::vector<std::string>& known);

/**
 * @param kind "table ", say
 * @return "unknown 'rign'; did you mean 'ring'?", or "...; known are a, b, c" if none is near
 */
std::string UnknownName(std::string_view name,
                        const std::vector<std::string>& known,
                        const char* kind = "");

/** @return whether @p name is one of @p names */
bool IsAmong(std::string_view name, const std::vector<std::string>& names);

} // namespace inca

#endif // INCA_BASE_NEAREST_H
