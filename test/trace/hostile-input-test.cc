/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "support/why-not.h"
#include "trace/native-trace.h"
#include "trace/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

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
