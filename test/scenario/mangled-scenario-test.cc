/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "scenario/grid.h"
#include "scenario/scenario-reader.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace inca
{

namespace
{

const std::string g_good = "[training]\ntrace = \"alexnet\"\niterations = 2\n"
                           "[cluster]\nworkers = 4\nbandwidth = \"10Gbps\"\n"
                           "[[cluster.worker]]\nindex = 1\ncompute_scale = 1.5\n"
                           "[codec]\nname = \"inceptionn\"\nbound = \"2^-10\"\n"
                           "[sweep]\nvary = [\"cluster.workers=2,4\", \"host.duplex=half,full\"]\n"
                           "[attributes]\n\"inca::Nic::A\" = true\n";

/** @return whether it is a scenario; anything but an InputError ends the test */
bool
IsRead(const std::string& text)
{
    try
    {
        ParseScenario(text, "mangled.toml", {});
        ExpandGrid(ParseSweep(text, "mangled.toml"));
        return true;
    }
    catch (const InputError& error)
    {
        EXPECT_FALSE(error.Complaints().empty());
        return false;
    }
}

std::string
Repeat(const std::string& text, std::size_t times)
{
    std::string all;
    for (std::size_t i = 0; i < times; ++i)
    {
        all += text;
    }
    return all;
}

} // namespace

TEST(MangledScenario, AnyCutIsReadOrRefused)
{
    EXPECT_TRUE(IsRead(g_good));
    for (std::size_t length = 0; length < g_good.size(); ++length)
    {
        IsRead(g_good.substr(0, length));
    }
    EXPECT_FALSE(IsRead(g_good.substr(0, g_good.size() - 3))); // "tr" for true
}

TEST(MangledScenario, AnyChangedByteIsReadOrRefused)
{
    for (std::size_t at = 0; at < g_good.size(); ++at)
    {
        for (const char c : {'\0', '"', '[', ']', '=', '\n', '.', '9', '\x80', '\xff'})
        {
            auto text = g_good;
            text[at] = c;
            IsRead(text);
        }
    }
}

TEST(MangledScenario, AnyMixtureIsReadOrRefused)
{
    const std::string alphabet = "[]{}=\"'.,#\n -+0123456789eabtruefalscx:\\";
    std::uint64_t state = 1; // a plain congruential sequence: the same texts every time
    for (int round = 0; round < 3000; ++round)
    {
        std::string text;
        for (int i = 0; i < 60; ++i)
        {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            text += alphabet[(state >> 33U) % alphabet.size()];
        }
        IsRead(text);
    }
}

TEST(MangledScenario, DeepNestingIsRefused)
{
    constexpr std::size_t deep = 100'000;
    EXPECT_FALSE(IsRead("a = " + Repeat("[", deep)));
    EXPECT_FALSE(IsRead("a = " + Repeat("[", deep) + Repeat("]", deep)));
    EXPECT_FALSE(IsRead("a = " + Repeat("{a = ", deep) + "1" + Repeat("}", deep)));
    EXPECT_FALSE(IsRead("[a" + Repeat(".a", deep) + "]\nb = 1\n"));
    EXPECT_FALSE(IsRead("a" + Repeat(".a", deep) + " = 1\n"));
    EXPECT_FALSE(IsRead("a = [\"\"\"\n#\"\"\", {a" + Repeat(".a", deep) + " = 1}]\n"));
    EXPECT_FALSE(IsRead(" # x\ra" + Repeat(".a", deep) + " = 1\n"));
    EXPECT_FALSE(IsRead("a = " + Repeat("[{a" + Repeat(".a", 30) + " = \n", 100)));
}

TEST(MangledScenario, ManyComplaintsAreCutShort)
{
    std::string text = "[training]\n";
    for (int i = 0; i < 20'000; ++i)
    {
        text += "k" + std::to_string(i) + " = 1\n";
    }
    try
    {
        ParseScenario(text, "mangled.toml", {});
        FAIL() << "unknown keys were taken";
    }
    catch (const InputError& error)
    {
        EXPECT_EQ(error.Complaints().size(), 50U);
    }
}

} // namespace inca
