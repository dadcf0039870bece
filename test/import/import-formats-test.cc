/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/import-text.h"

#include "base/errors.h"
#include "base/input-file.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace inca
{

namespace
{

std::string
NameOf(const std::string& text)
{
    return RecogniseFormat(ByteSource("file", text)).name;
}

} // namespace

TEST(ImportFormats, AreRecognisedByContent)
{
    EXPECT_EQ(NameOf(R"({"schemaVersion": 1, "traceEvents": [)"), "kineto");
    EXPECT_EQ(NameOf(R"([{"ph": "X"}])"), "kineto");
    EXPECT_EQ(NameOf("\n {\"schema\": \"1.0.1\", \"nodes\": [{\"version\": 1}]}"), "pytorch-et");
    EXPECT_EQ(NameOf("DATA\n54\n"), "astra-sim");
    EXPECT_EQ(NameOf("HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8\n"), "simai");
    EXPECT_EQ(NameOf(std::string("\x07\x0a\x05") + "0.0.4"), "chakra");
}

TEST(ImportFormats, AreNotGuessedAt)
{
    for (const auto* text : {"hello",
                             R"([{"comms": "all_reduce"}])",
                             "{}",
                             "[]",
                             "[1, 2]",
                             R"({"header": {}})",
                             "\xff\xfe",
                             "{"})
    {
        EXPECT_THROW(NameOf(text), InputError) << text;
    }
    EXPECT_THAT(RefusalOf("#inca-trace v1\n"), testing::HasSubstr("is a trace of INCA already"));
}

TEST(ImportFormats, MayBeNamed)
{
    ImportOptions options;
    options.format = "astar-sim";
    EXPECT_THAT(RefusalOf("DATA\n", options), testing::HasSubstr("did you mean 'astra-sim'?"));
    options.format = "kineto";
    EXPECT_THAT(RefusalOf("DATA\n", options), testing::HasSubstr("file: is no JSON"));
}

TEST(ImportFormats, RefusesOptionsThatAreNone)
{
    ImportOptions options;
    options.gradientType = "fp23";
    EXPECT_THAT(RefusalOf("DATA\n", options),
                testing::HasSubstr("--gradient-type: unknown 'fp23'"));
    options = {};
    options.timeUnit = "cycles";
    EXPECT_THAT(RefusalOf("DATA\n", options), testing::HasSubstr("--time-unit: unknown 'cycles'"));
}

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
