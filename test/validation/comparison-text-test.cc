/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/comparison-text.h"

#include <gtest/gtest.h>

#include <utility>

namespace inca
{

namespace
{

PublishedValue
Single(double value, PublishedClass publishedClass, std::string source)
{
    return {value, value, publishedClass, std::move(source)};
}

/** One figure of every kind: kept, missed, in points, a range, unpublished. */
ValidationReport
Fake()
{
    using Unit = FigureUnit;
    return {"fake",
            "FAKE (1999)",
            {{"small",
              "WA",
              "communication",
              Unit::SECONDS,
              1.5,
              Single(1.25, PublishedClass::PRINTED, "Table II"),
              0.15},
             {"small",
              "INC",
              "communication",
              Unit::SECONDS,
              0.0095,
              Single(0.01, PublishedClass::DERIVED, "Fig. 12, scaled"),
              0.15},
             {"small",
              "INC",
              "communication cut",
              Unit::PERCENT,
              58.5,
              Single(55, PublishedClass::PRINTED, "text"),
              {}},
             {"large",
              "INC+C",
              "speed-up",
              Unit::TIMES,
              2.5,
              PublishedValue{2.2, 3.1, PublishedClass::PRINTED, "text"},
              {}},
             {"large", "INC+C", "total", Unit::SECONDS, 2, {}, {}}}};
}

/* 1.5 instead of 1.25 is +20 %, 0.0095 instead of 0.01 is -5 %, 58.5 % are 3.5 points over 55 %. */
TEST(FormatValidation, PutsPredictedPublishedAndErrorSideBySide)
{
    EXPECT_EQ(FormatValidation(Fake()),
              R"(FAKE (1999)

small
             predicted      published      error  limit
  communication
    WA         1.500 s        1.250 s    +20.0 %   15 %  MISS  printed: Table II
    INC     0.009500 s      0.01000 s     -5.0 %   15 %  ok    derived: Fig. 12, scaled
  communication cut
    INC         58.5 %         55.0 %    +3.5 pt               printed: text

large
             predicted      published      error  limit
  speed-up
    INC+C       2.50 x   2.20..3.10 x     +0.0 %               printed: text
  total
    INC+C      2.000 s              -          -

judged: 2 figures, 1 MISS
  MISS small WA, communication: 1.500 s instead of 1.250 s, +20.0 % (limit 15 %)
)");
}

TEST(FormatValidation, SaysWhenNothingMisses)
{
    auto report = Fake();
    report.comparisons.erase(report.comparisons.begin());
    const auto text = FormatValidation(report);
    EXPECT_NE(text.find("\njudged: 1 figures, 0 MISS\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("  MISS "), std::string::npos) << text;
}

TEST(ValidationCsv, HasOneLinePerComparison)
{
    EXPECT_EQ(ValidationCsv({Fake()}),
              "validation,model,system,figure,unit,predicted,published_from,published_to,"
              "error_percent,error_points,limit_percent,verdict,published_class,published_source\n"
              "fake,small,WA,communication,s,1.5,1.25,1.25,20,,15,MISS,printed,Table II\n"
              "fake,small,INC,communication,s,0.0095,0.01,0.01,-5,,15,ok,derived,"
              "\"Fig. 12, scaled\"\n"
              "fake,small,INC,communication cut,%,58.5,55,55,,3.5,,,printed,text\n"
              "fake,large,INC+C,speed-up,x,2.5,2.2,3.1,0,,,,printed,text\n"
              "fake,large,INC+C,total,s,2,,,,,,,,\n");
}

} // namespace

} // namespace inca
