/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/validation.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

Comparison
Make(FigureUnit unit, double predicted, double from, double to, std::optional<double> limit)
{
    Comparison comparison;
    comparison.unit = unit;
    comparison.predicted = predicted;
    comparison.published = PublishedValue{from, to, PublishedClass::PUBLISHED, "a table"};
    comparison.limit = limit;
    return comparison;
}

/** A figure, its error, and whether that is a miss. */
struct ErrorCase
{
    FigureUnit unit;
    double predicted;
    double from;
    double to;
    std::optional<double> limit;
    double error;
    bool misses;
};

/* Relative to the published number: (0.9 - 1.2) / 1.2. In points: 58.5 % instead of 55 % are 3.5. From the nearest end of a
 * range: 3 lies within 2..4, 5 is 25 % over 4, 1 is 50 % under 2. A limit counts in either
 * direction, and none is never missed. */
TEST(ErrorOf, CountsInTheFiguresScale)
{
    for (const auto& one : {ErrorCase{FigureUnit::SECONDS, 0.9, 1.2, 1.2, {}, -0.25, false},
                            {FigureUnit::PERCENT, 58.5, 55, 55, {}, 3.5, false},
                            {FigureUnit::TIMES, 3, 2, 4, {}, 0, false},
                            {FigureUnit::TIMES, 5, 2, 4, {}, 0.25, false},
                            {FigureUnit::TIMES, 1, 2, 4, {}, -0.5, false},
                            {FigureUnit::SECONDS, 9, 10, 10, 0.15, -0.1, false},
                            {FigureUnit::SECONDS, 8, 10, 10, 0.15, -0.2, true},
                            {FigureUnit::SECONDS, 12, 10, 10, 0.15, 0.2, true},
                            {FigureUnit::SECONDS, 100, 10, 10, {}, 9, false}})
    {
        const auto comparison = Make(one.unit, one.predicted, one.from, one.to, one.limit);
        EXPECT_NEAR(ErrorOf(comparison).value(), one.error, 1e-12);
        EXPECT_EQ(Misses(comparison), one.misses) << one.predicted;
    }
    Comparison unpublished;
    unpublished.predicted = 100;
    unpublished.limit = 0.05;
    EXPECT_FALSE(ErrorOf(unpublished));
    EXPECT_FALSE(IsJudged(unpublished));
    EXPECT_FALSE(Misses(unpublished));
}

/** One figure of every kind: kept, missed, in points, a range, far off, unpublished. */
ValidationReport
Fake()
{
    using Unit = FigureUnit;
    constexpr auto published = PublishedClass::PUBLISHED;
    const auto table = Single(1.25, published, "Table II");
    const auto figure = Single(0.01, PublishedClass::DERIVED, "Fig. 12, scaled");
    const PublishedValue range{2.2, 3.1, published, "text"};
    return {"fake",
            "FAKE (1999)",
            {{"small", "WA", "communication", Unit::SECONDS, 1.5, table, 0.15},
             {"small", "INC", "communication", Unit::SECONDS, 0.0095, figure, 0.15},
             {"small",
              "INC",
              "communication cut",
              Unit::PERCENT,
              58.5,
              Single(55, published, "text"),
              {}},
             {"large", "INC+C", "speed-up", Unit::TIMES, 2.5, range, {}},
             {"large", "WA", "total", Unit::SECONDS, 0.95, table, {}},
             {"large", "INC+C", "total", Unit::SECONDS, 2, {}, {}}}};
}

/* 1.5 instead of 1.25 is +20 %, 0.0095 instead of 0.01 is -5 %, 58.5 % are 3.5 points over 55 %, 0.95 instead of 1.25 is -24 %. Of
 * six figures one has nothing beside it. */
TEST(FormatValidation, PutsPredictedPublishedAndErrorSideBySide)
{
    EXPECT_EQ(FormatValidation(Fake()),
              R"(FAKE (1999)

small
             predicted      reference      error  limit
  communication
    WA         1.500 s        1.250 s    +20.0 %   15 %  MISS  published: Table II
    INC     0.009500 s      0.01000 s     -5.0 %   15 %  ok    derived: Fig. 12, scaled
  communication cut
    INC         58.5 %         55.0 %    +3.5 pt               published: text

large
             predicted      reference      error  limit
  speed-up
    INC+C       2.50 x   2.20..3.10 x     +0.0 %               published: text
  total
    WA        0.9500 s        1.250 s    -24.0 %         far   published: Table II
    INC+C      2.000 s              -          -

judged: 2 of 5 figures, 1 MISS
not judged: 3 figures, 1 far off (more than 20 % or 20 points)
  MISS small WA, communication: 1.500 s instead of 1.250 s, +20.0 % (limit 15 %)
  far large WA, total: 0.9500 s instead of 1.250 s, -24.0 %
)");
}

/** A figure of a rate, and one with a narrow limit. */
ValidationReport
Rates()
{
    using Unit = FigureUnit;
    const auto line = Single(2893.3, PublishedClass::DERIVED, "frames");
    const auto frames = Single(1, PublishedClass::SIMULATED, "frames");
    return {"rates",
            "RATES",
            {{"net", "16 workers", "rate", Unit::MILLION_VALUES_PER_SECOND, 2889.3, line, 0.01},
             {"net", "10 Gb/s", "alone", Unit::SECONDS, 1.00005, frames, 0.001}}};
}

/* 4 of 2893.3 are 0.14 %. A limit of 1 % shows hundredths, one of 0.1 % thousandths. Systems of 10 characters widen the first
 * column to 11. */
TEST(FormatValidation, HasAsManyDigitsAsItsLimitNeeds)
{
    EXPECT_EQ(FormatValidation(Rates()),
              R"(RATES

net
                 predicted      reference      error  limit
  rate
    16 workers 2889.3 Mv/s    2893.3 Mv/s    -0.14 %    1 %  ok    derived: frames
  alone
    10 Gb/s        1.000 s        1.000 s   +0.005 %  0.1 %  ok    simulated: frames

judged: 2 of 2 figures, 0 MISS
not judged: 0 figures, 0 far off (more than 20 % or 20 points)
)");
}

/* 58.5 % are 3.5 points over 55 %, of 4 or of 3 that they may be. */
TEST(FormatValidation, CountsLimitsOfPercentagesInPoints)
{
    for (const double limit : {4, 3})
    {
        const ValidationReport report{
            "name", "title", {Make(FigureUnit::PERCENT, 58.5, 55, 55, limit)}};
        EXPECT_EQ(CountMisses(report), limit < 3.5 ? 1U : 0U);
        const auto text = FormatValidation(report);
        EXPECT_NE(text.find(limit < 3.5 ? "+3.5 pt 3.0 pt  MISS" : "+3.5 pt 4.0 pt  ok"),
                  std::string::npos)
            << text;
        EXPECT_NE(ValidationCsv({report}).find(limit < 3.5 ? ",3.5,3,MISS," : ",3.5,4,ok,"),
                  std::string::npos);
    }
}

TEST(FormatValidation, SaysWhenNothingMisses)
{
    auto report = Fake();
    EXPECT_EQ(CountMisses(report), 1U);
    report.comparisons.erase(report.comparisons.begin());
    EXPECT_EQ(CountMisses(report), 0U);
    const auto text = FormatValidation(report);
    EXPECT_NE(text.find("\njudged: 1 of 4 figures, 0 MISS\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("  MISS "), std::string::npos) << text;
}

TEST(ValidationCsv, HasOneLinePerComparison)
{
    EXPECT_EQ(ValidationCsv({Fake(), Rates()}),
              "validation,model,system,figure,unit,predicted,published_from,published_to,"
              "error_percent,error_points,limit_percent,verdict,published_class,published_source\n"
              "fake,small,WA,communication,s,1.5,1.25,1.25,20,,15,MISS,published,Table II\n"
              "fake,small,INC,communication,s,0.0095,0.01,0.01,-5,,15,ok,derived,"
              "\"Fig. 12, scaled\"\n"
              "fake,small,INC,communication cut,%,58.5,55,55,,3.5,,,published,text\n"
              "fake,large,INC+C,speed-up,x,2.5,2.2,3.1,0,,,,published,text\n"
              "fake,large,WA,total,s,0.95,1.25,1.25,-24,,,far,published,Table II\n"
              "fake,large,INC+C,total,s,2,,,,,,,,\n"
              "rates,net,16 workers,rate,Mvalues/s,2889.3,2893.3,2893.3,-0.138250441,,1,ok,derived,"
              "frames\n"
              "rates,net,10 Gb/s,alone,s,1.00005,1,1,0.005,,0.1,ok,simulated,frames\n");
}

} // namespace

} // namespace inca
