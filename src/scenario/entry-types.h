/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_ENTRY_TYPES_H
#define INCA_SCENARIO_ENTRY_TYPES_H

#include "scenario/keys.h"
#include "scenario/toml-document.h"

#include <string>

namespace inca
{

/** @return whether a key of that type takes what was found */
bool Fits(ValueType wanted, TomlKind found);

/** @return whether it is one value: a text, a number, true or false */
bool IsScalar(TomlKind kind);

/**
 * @param values what may stand there, for people
 * @return "needs a whole number, 2..65536, got a text '4'"
 */
std::string Needs(ValueType type, const std::string& values, const TomlEntry& entry);

/** @return whether it is an empty table of a known name: it says nothing, and nothing wrong */
bool IsEmptyTable(const TomlEntry& entry);

/** @return whether something else stands where a table should */
bool NeedsTable(const TomlEntry& entry);

} // namespace inca

#endif // INCA_SCENARIO_ENTRY_TYPES_H
