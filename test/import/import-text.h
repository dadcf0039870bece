/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_IMPORT_IMPORT_TEXT_H
#define INCA_TEST_IMPORT_IMPORT_TEXT_H

#include "base/errors.h"
#include "import/import-formats.h"
#include "trace/native-trace.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

/** Imports files in memory, and reads the trace back as runs do. */
inline ImportedTrace
ImportTexts(const std::vector<std::pair<std::string, std::string>>& files,
            const ImportOptions& options = {})
{
    std::vector<std::unique_ptr<ByteSource>> sources;
    for (const auto& [name, text] : files)
    {
        sources.push_back(std::make_unique<ByteSource>(name, text));
    }
    auto imported = ImportTrace(sources, options);
    imported.trace = ParseTrace(FormatTrace(imported.trace), "mine.csv");
    return imported;
}

inline ImportedTrace
ImportText(const std::string& text, const ImportOptions& options = {})
{
    return ImportTexts({{"file", text}}, options);
}

/** @return why @p text is refused; empty if it is not */
inline std::string
RefusalOf(const std::string& text, const ImportOptions& options = {})
{
    try
    {
        ImportText(text, options);
        return "";
    }
    catch (const InputError& error)
    {
        return error.what();
    }
}

inline ImportOptions
Lenient()
{
    ImportOptions options;
    options.lenient = true;
    return options;
}

} // namespace inca

#endif // INCA_TEST_IMPORT_IMPORT_TEXT_H
