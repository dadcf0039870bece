/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/catalog.h"

#include "support/why-not.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

struct Fruit
{
    std::string name;
    int pips{0};
    bool isExtension{false};
};

class CatalogTest : public testing::Test
{
  protected:
    std::string Refusal(const std::string& name)
    {
        return WhyNot([&] { m_catalog.Register({name, 1}); });
    }

    Catalog<Fruit> m_catalog{"fruit", {{"apple", 10}, {"plum", 1}}};
};

} // namespace

TEST_F(CatalogTest, FindsItsRowsAndThoseRegistered)
{
    m_catalog.Register({"kiwi", 500});
    EXPECT_EQ(m_catalog.Find("plum").pips, 1);
    EXPECT_EQ(m_catalog.Find("kiwi").pips, 500);
    EXPECT_THAT(m_catalog.Names(), ElementsAre("apple", "plum", "kiwi"));
    EXPECT_TRUE(m_catalog.Find("kiwi").isExtension);
    EXPECT_FALSE(m_catalog.Find("plum").isExtension);
}

/* Whatever the letters' case. */
TEST_F(CatalogTest, SuggestsTheNearestName)
{
    EXPECT_EQ(WhyNot([&] { m_catalog.Find("aple"); }),
              "fruit: unknown 'aple'; did you mean 'apple'?");
    EXPECT_EQ(WhyNot([&] { m_catalog.Find("APPLE"); }),
              "fruit: unknown 'APPLE'; did you mean 'apple'?");
}

/* Names stand in TOML, on command lines between ',' and '=', and in CSV. */
TEST_F(CatalogTest, RefusesWhatIsNoNameOrIsThere)
{
    for (const auto* name : {"", "Apple", "a,b", "a=b", "a b", "2nd", "-a", "\xC3\xA4pfel"})
    {
        EXPECT_THAT(Refusal(name), HasSubstr("is no name")) << name;
    }
    EXPECT_EQ(Refusal("pear-2"), "");
    EXPECT_EQ(Refusal("apple"), "fruit: 'apple' is there already");
}

TEST_F(CatalogTest, RefusesRowsOnceSomebodyHasLooked)
{
    EXPECT_EQ(Refusal("kiwi"), "");
    EXPECT_THROW(m_catalog.Find("pear"), InputError);
    EXPECT_EQ(Refusal("pear"),
              "fruit: 'pear' comes too late: rows are registered before the first look-up");
}

} // namespace inca
