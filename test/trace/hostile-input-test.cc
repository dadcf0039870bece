/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/random.h"
#include "support/why-not.h"
#include "trace/native-trace.h"
#include "trace/safetensors-writer.h"
#include "trace/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

constexpr int g_mutations = 20'000;

/** Replaces, removes, repeats or cuts at a few random places; the same for the same stream. */
std::string
Mutated(std::string text, RandomStream& stream)
{
    const auto places = 1 + stream.Bits() % 4;
    for (std::uint64_t i = 0; i < places && !text.empty(); ++i)
    {
        const auto at = stream.Bits() % text.size();
        const auto length = 1 + stream.Bits() % 8;
        switch (stream.Bits() % 4)
        {
        case 0:
            text[at] = static_cast<char>(stream.Bits());
            break;
        case 1:
            text.erase(at, length);
            break;
        case 2:
            text.insert(at, text.substr(stream.Bits() % text.size(), length));
            break;
        default:
            text.resize(at);
        }
    }
    return text;
}

/** Counts how many mutations are accepted; anything but acceptance or InputError fails the test. */
template <typename Read>
int
AcceptedOf(const std::string& good, Read read)
{
    RandomStream stream(1, 0);
    int accepted = 0;
    for (int i = 0; i < g_mutations; ++i)
    {
        const auto text = Mutated(good, stream);
        try
        {
            read(text);
            ++accepted;
        }
        catch (const InputError& error)
        {
            EXPECT_THAT(error.what(), testing::StartsWith("t.csv")) << text;
        }
    }
    return accepted;
}

} // namespace

/* What is accepted is a trace like any other: writing and reading it changes nothing. */
TEST(HostileInput, MutatedTracesAreReadOrRefused)
{
    const std::string good =
        "#inca-trace v1\n# model: m\n# batch: 7\n# stats_workers: 4\n"
        "layer,elements,forward_ns,backward_ns,update_ns,density,union_density,"
        "exponents,b10_w2,b10_w10,b10_w18,b10_w34\n"
        "a,100,1.5,2,3,0.1,0.3,0:0.9;117:0.1,0.95,0.03,0.02,0\n"
        "\"b,\"\"c\",7,0,0,0.001,,,,,,,\n";
    const auto accepted = AcceptedOf(good, [](const std::string& text) {
        const auto written = FormatTrace(ParseTrace(text, "t.csv"));
        EXPECT_EQ(FormatTrace(ParseTrace(written, "t.csv")), written) << text;
    });
    EXPECT_GT(accepted, g_mutations / 100); // names and digits may change; else nothing was tested
}

/* Whatever the header says, what is accepted fills the 24 bytes that are there. */
TEST(HostileInput, MutatedSafetensorsHeadersAreReadOrRefused)
{
    const auto good = FormatSafetensorsHeader({{"a", {2, 2}, {1, 2, 3, 4}}, {"b", {2}, {5, 6}}});
    const auto accepted = AcceptedOf(good, [](const std::string& text) {
        std::uint64_t bytes = 0;
        for (const auto& tensor : ParseSafetensorsHeader(text, 100, 24, "t.csv"))
        {
            bytes += tensor.bytes;
            EXPECT_LE(tensor.fileOffset + tensor.bytes, 124U);
        }
        EXPECT_EQ(bytes, 24U);
    });
    EXPECT_GT(accepted, 10); // only names and a few spellings may change
}

TEST(HostileInput, DeeplyNestedHeaderIsRefused)
{
    const std::string open(1'000'000, '[');
    const std::string close(1'000'000, ']');
    EXPECT_THROW(ParseSafetensorsHeader(open, 8, 0, "t"), InputError);
    EXPECT_THROW(ParseSafetensorsHeader("{\"a\":" + open + close + "}", 8, 0, "t"), InputError);
}

TEST(HostileInput, ControlCharactersDoNotReachTheTerminal)
{
    EXPECT_EQ(WhyNot([&] { ParseSafetensorsHeader(R"({"\u001b[2J":1})", 8, 0, "t"); }),
              "t: ?[2J: no entry of a tensor");
}

TEST(HostileInput, ManyColumnsAreRefusedAtOnce)
{
    EXPECT_EQ(WhyNot([&] {
                  ParseTrace("#inca-trace v1\n" + std::string(60'000, ',') + "\na,1,1,1,1\n", "t");
              }),
              "t:2: has more than 100 columns");
}

} // namespace inca
