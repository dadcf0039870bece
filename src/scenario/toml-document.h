/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_TOML_DOCUMENT_H
#define INCA_SCENARIO_TOML_DOCUMENT_H

#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** A place in a text, both from 1. */
struct TextPlace
{
    unsigned line{0};
    unsigned column{0};
};

/** What stands behind a key. */
enum class TomlKind
{
    TEXT,
    INTEGER,
    DECIMAL,
    BOOLEAN,
    TEXTS,  ///< a list of texts, none of them as well
    TABLES, ///< [[name]], one or more
    OTHER,  ///< another list, a date, a table where a value should stand
};

/** One text of a list. */
struct TomlText
{
    std::string text;
    TextPlace place;
};

/** One "key = value" of a document. */
struct TomlEntry
{
    std::string name; ///< dotted, table first
    TomlKind kind{TomlKind::OTHER};
    std::string kindName; ///< for people: "a whole number"
    std::string text; ///< of a TEXT, INTEGER, DECIMAL or BOOLEAN; numbers in their shortest form
    TextPlace keyPlace;
    TextPlace valuePlace;
    std::vector<TomlText> texts;                ///< of TEXTS
    std::vector<std::vector<TomlEntry>> tables; ///< of TABLES; entries named "table.name.key"
};

/**
 * Takes a TOML text apart into its entries, two levels deep, in the order of the text.
 * @throws InputError with file, line and column if @p text is no TOML
 */
std::vector<TomlEntry> ReadToml(std::string_view text, const std::string& fileName);

/** @return @p text in quotes as TOML writes it */
std::string QuoteToml(std::string_view text);

} // namespace inca

#endif // INCA_SCENARIO_TOML_DOCUMENT_H
