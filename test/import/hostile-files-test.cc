/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/input-file.h"
#include "import/import-text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace inca
{

namespace
{

/** The seeds of the importers' fuzz target: a small file of each format, after a byte of options. */
std::vector<std::string>
SmallFiles()
{
    std::vector<std::string> files;
    const std::filesystem::path folder(INCA_SOURCE_DIR "/test/fuzz/corpus/import");
    for (const auto& entry : std::filesystem::directory_iterator(folder))
    {
        const auto text = ReadInputFile(entry.path().string(), 1U << 20U, "").substr(1);
        if (text.find('\x1e') == std::string::npos) // of two files in one
        {
            files.push_back(text);
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

/** Imports, or refuses as a user's input is refused; anything else fails the test. */
void
ImportOrRefuse(const std::string& text, bool lenient)
{
    try
    {
        ImportText(text, lenient ? Lenient() : ImportOptions{});
    }
    catch (const InputError& error)
    {
        EXPECT_STRNE(error.what(), "");
    }
}

} // namespace

TEST(HostileFiles, AreImportedWhereNothingIsWrong)
{
    const auto files = SmallFiles();
    EXPECT_GE(files.size(), 9U);
    for (const auto& text : files)
    {
        EXPECT_EQ(RefusalOf(text), "") << text;
    }
}

TEST(HostileFiles, MayBeCutOffAnywhere)
{
    for (const auto& text : SmallFiles())
    {
        for (std::size_t size = 0; size < text.size(); ++size)
        {
            ImportOrRefuse(text.substr(0, size), size % 2 == 0);
        }
    }
}

TEST(HostileFiles, MayHaveAnyByteAnywhere)
{
    const std::string bytes("09-\"{}[],.eN\n \xff\0", 16);
    for (const auto& text : SmallFiles())
    {
        for (std::size_t at = 0; at < text.size(); ++at)
        {
            auto changed = text;
            changed[at] = bytes[at % bytes.size()];
            ImportOrRefuse(changed, at % 3 == 0);
            changed[at] = static_cast<char>(text[at] ^ (1 << (at % 8)));
            ImportOrRefuse(changed, at % 3 == 0);
        }
    }
}

} // namespace inca
