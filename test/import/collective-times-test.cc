/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/collective-times.h"

#include <gtest/gtest.h>

namespace inca
{

/* The first is asked for from 0 to 10: kernels launched at 3 and 10 go on from 50 to 70 and from 65 to 90,
 * 40 in all. Nothing is launched by the second. The third has its time.                                 */
TEST(CollectiveTimes, AreThoseOfWhatWasLaunched)
{
    TorchRecording recording;
    recording.collectives.resize(3);
    recording.collectives[2].ns = 7;
    for (std::size_t i = 0; i < 3; ++i)
    {
        TorchMark mark;
        mark.kind = TorchMark::Kind::COLLECTIVE;
        mark.begin = static_cast<std::int64_t>(i) * 20;
        mark.end = mark.begin + 10;
        mark.collective = i;
        recording.marks.push_back(mark);
    }
    recording.runs = {{3, 50, 70}, {10, 65, 90}, {15, 100, 110}, {44, 120, 130}};
    TimeCollectives(recording);
    EXPECT_EQ(recording.collectives[0].ns, 40);
    EXPECT_EQ(recording.collectives[1].ns, std::nullopt);
    EXPECT_EQ(recording.collectives[2].ns, 7);
}

} // namespace inca
