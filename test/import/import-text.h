/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_IMPORT_IMPORT_TEXT_H
#define INCA_TEST_IMPORT_IMPORT_TEXT_H

#include "base/errors.h"
#include "import/import-formats.h"
#include "trace/native-trace.h"

#include "support/why-not.h"

#include <gmock/gmock.h>

#include <cstdint>
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
    return WhyNot([&] { ImportText(text, options); });
}

constexpr std::int64_t NS = 1'000; // ps
constexpr std::int64_t US = 1'000'000;

/** "a 30: 25 13 1; b 200 10: 15 22 7": of each layer its name, its tensors, and its times: forward, backward, update. */
inline std::string
LayersOf(const ImportedTrace& imported, std::int64_t unit = US)
{
    std::string text;
    for (const auto& layer : imported.trace.layers)
    {
        text += (text.empty() ? "" : "; ") + layer.name;
        for (const auto elements : TensorsOf(layer))
        {
            text += " " + std::to_string(elements);
        }
        text += ":";
        for (const auto ps : {layer.forwardPs, layer.backwardPs, layer.updatePs})
        {
            text += " " + std::to_string(ps / unit);
        }
    }
    return text;
}

/** Expects each of @p told in the report, and as many bytes of gradients out as in. */
inline void
ExpectTold(const ImportedTrace& imported, const std::vector<std::string>& told)
{
    for (const auto& text : told)
    {
        EXPECT_THAT(imported.report.Text(), testing::HasSubstr(text));
    }
    EXPECT_EQ(imported.report.bytesIn, imported.report.bytesOut);
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
