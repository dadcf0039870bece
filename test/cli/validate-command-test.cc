/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/process-fixture.h"

#include <gmock/gmock.h>

namespace inca
{

namespace
{

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/** HDC is the one model that is done in no time. */
using ValidateCommandTest = ProcessFixture;

} // namespace

/* HDC's four judged figures are within their 20 %: docs/validation.md. */
TEST_F(ValidateCommandTest, PredictsHdcWithinItsLimits)
{
    EXPECT_THAT(
        Printed("validate inceptionn --model hdc"),
        AllOf(StartsWith("INCEPTIONN (MICRO 2018)"),
              HasSubstr("\nhdc\n"),
              HasSubstr("\njudged: 4 of 41 figures, 0 MISS\nnot judged: 37 figures, 0 far off")));
}

/* At 1 Gb/s all of HDC's communication takes several times as long as published. */
TEST_F(ValidateCommandTest, FailsWhereAJudgedFigureMisses)
{
    EXPECT_EQ(Run("validate inceptionn --model hdc --set cluster.bandwidth=1Gbps"), 1);
    EXPECT_THAT(Read("stdout"),
                AllOf(HasSubstr("\njudged: 4 of 41 figures, 4 MISS\nnot judged: 37 figures, "),
                      HasSubstr("\n  MISS hdc WA, communication: ")));
}

/* VGG-16's WA communicates 5.836 s an iteration in Table II; at the rate of the other models it would be 3.3 s. Published are this,
 * 3 cuts, a total, its cut, a speed-up, 4 trainings, and 2 systems' ratio in 2 places: 15. */
TEST_F(ValidateCommandTest, NamesWhatIsFarOffThoughNobodyJudgesIt)
{
    EXPECT_THAT(
        Printed("validate inceptionn --model vgg-16"),
        AllOf(
            HasSubstr("\njudged: 0 of 15 figures, 0 MISS\nnot judged: 15 figures, 7 far off"),
            HasSubstr("\n  far vgg-16 WA, communication: 3.265 s instead of 5.836 s, -44.1 %\n")));
}

/* Table II and 4 of Fig. 12; 3 cuts from the text and 3 from the figure; twice 4 totals, a cut and
 * 2 speed-ups; 4 bars of Fig. 12; 2 systems with a ratio from 2 sources; twice their training by iterations and by
 * epochs: 5 + 6 + 14 + 4 + 4 + 8 = 41 lines and the header. */
TEST_F(ValidateCommandTest, WritesEveryComparisonAsCsv)
{
    EXPECT_EQ(Run("validate inceptionn --model hdc --csv @hdc.csv"), 0);
    EXPECT_THAT(Read("hdc.csv"), StartsWith("validation,model,system,figure,unit,predicted,"));
    EXPECT_EQ(Lines("hdc.csv"), 42);
}

} // namespace inca
