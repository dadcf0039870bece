/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "scenario/scenario-reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string>
ComplaintsOf(const std::string& text)
{
    try
    {
        ParseScenario(text, "a.toml", {});
    }
    catch (const InputError& error)
    {
        return error.Complaints();
    }
    return {};
}

} // namespace

/* What keys say together was looked at only when each of them was right. */
TEST(ChecksOfTheWhole, ComeWithThoseOfTheParts)
{
    EXPECT_THAT(ComplaintsOf("[training]\ntrace = \"no-such\"\n"
                             "[exchange]\nalgorithm = \"rign\"\nchunk_bytes = 6\n"
                             "[codec]\nname = \"truncate\"\nplacement = \"gpu\"\n"
                             "encode_rate = \"1GBps\"\n"),
                ElementsAre(HasSubstr("a.toml:4:13: exchange.algorithm:"),
                            HasSubstr("a.toml:5:15: exchange.chunk_bytes:"),
                            HasSubstr("a.toml:2:9: training.trace:"),
                            HasSubstr("a.toml: codec.decode_rate:")));
}

/* iterations = "3" is refused and counts as 1, which warmup = 2 must not be blamed for; workrs is
 * meant as workers, so worker 7 may be there. */
TEST(ChecksOfTheWhole, DoNotFollowFromWhatWasRefused)
{
    EXPECT_THAT(ComplaintsOf("[training]\ntrace = \"hdc\"\niterations = \"3\"\n"
                             "[simulation]\nwarmup = 2\n"
                             "[cluster]\nworkrs = 8\n"
                             "[[cluster.worker]]\nindex = 7\ncompute_scale = 2\n"),
                ElementsAre(HasSubstr("training.iterations:"),
                            HasSubstr("'cluster.workers'")));
    EXPECT_THAT(ComplaintsOf("[training]\ntrac = \"hdc\"\n"),
                ElementsAre(HasSubstr("'training.trace'")));
}

} // namespace inca
