/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_TOML_DOCUMENT_H
#define INCA_SCENARIO_TOML_DOCUMENT_H

#include "inca/base/errors.h"

#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** What stands behind a key. */
enum class TomlKind
{
    TEXT,
    INTEGER,
    DECIMAL,
    BOOLEAN,
    TEXTS,  ///< a list of texts, none of them as well
    TABLES, ///< [[name]], one or more
    TABLE,  ///< an empty one, or one where a value should stand
    OTHER,  ///< another list, a date
};

/** One text of a list. */
struct TomlText
{
    std::string text;
    InputPlace place; ///< its key is that of the list
};

/** One "key = value" of a document. */
struct TomlEntry
{
    std::string name; ///< dotted, table first
    TomlKind kind{TomlKind::OTHER};
    std::string kindName; ///< for people: "a whole number"
    std::string text; ///< of a TEXT, INTEGER, DECIMAL or BOOLEAN; numbers in their shortest form
    InputPlace keyPlace;
    InputPlace valuePlace;
    std::vector<TomlText> texts;                ///< of TEXTS
    std::vector<std::vector<TomlEntry>> tables; ///< of TABLES; entries named "table.name.key"
};

/**
 * Takes a TOML text apart into its entries, three levels deep, in the order of the text.
 * @param fileName what complaints call the text
 * @throws InputError with file, line and column if @p text is no TOML
 */
std::vector<TomlEntry> ReadToml(std::string_view text, const std::string& fileName);

/** @return @p text in quotes as TOML writes it */
std::string QuoteToml(std::string_view text);

/** @return "file:line:column: key" */
std::string PlaceName(const InputPlace& place);

} // namespace inca

#endif // INCA_SCENARIO_TOML_DOCUMENT_H
