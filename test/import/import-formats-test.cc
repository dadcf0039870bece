/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/import-text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

} // namespace inca
