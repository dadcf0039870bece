/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_TOML_GUARD_H
#define INCA_SCENARIO_TOML_GUARD_H

#include <string>
#include <string_view>

namespace inca
{

/**
 * Refuses what the TOML library does not stand (toml++ 3.3): bytes that are no UTF-8; characters outside
 * ASCII where it asks whether they are white space, which are outside of quotes and comments and behind a
 * line's last backslash; and keys of many points, each of which may open a table in a table, whose taking
 * down takes stack.
 * @param fileName what the complaint calls the text
 * @throws InputError with file, line and column
 */
void RefuseUnsafeToml(std::string_view text, const std::string& fileName);

} // namespace inca

#endif // INCA_SCENARIO_TOML_GUARD_H
