/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::StrEq;

struct Fruit
{
    std::string name;
    int pips{0};
};

class CatalogTest : public testing::Test
{
  protected:
    std::string Refusal(const std::string& name)
    {
        try
        {
            m_catalog.Register({name, 1});
        }
        catch (const InputError& error)
        {
            return error.what();
        }
        return "";
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
}

TEST_F(CatalogTest, OwnsTheNamesOfItsRows)
{
    std::string name("kiwi");
    m_catalog.Register({name, 500});
    name = "gone";
    EXPECT_EQ(m_catalog.Find("kiwi").name, "kiwi");
}

TEST_F(CatalogTest, SuggestsTheNearestName)
{
    try
    {
        m_catalog.Find("aple");
        FAIL();
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(error.what(), "fruit: unknown 'aple'; did you mean 'apple'?");
    }
}

TEST_F(CatalogTest, RefusesANameTwice)
{
    EXPECT_THAT(Refusal("apple"), StrEq("fruit: 'apple' is there already"));
    EXPECT_EQ(m_catalog.Rows().size(), 2U);
}

/* Names stand in TOML, on command lines between ',' and '=', and in CSV. */
TEST_F(CatalogTest, RefusesWhatIsNoName)
{
    for (const auto* name : {"", "Apple", "a,b", "a=b", "a b", "2nd", "-a", "\xC3\xA4pfel"})
    {
        EXPECT_THAT(Refusal(name), testing::HasSubstr("is no name")) << name;
    }
    EXPECT_EQ(Refusal("pear-2"), "");
}

TEST_F(CatalogTest, RefusesRowsOnceSomebodyHasLooked)
{
    EXPECT_EQ(Refusal("kiwi"), "");
    m_catalog.Rows();
    EXPECT_THAT(Refusal("pear"),
                StrEq("fruit: 'pear' comes too late: rows are registered before "
                      "the first look-up"));
}

TEST_F(CatalogTest, RefusesRowsOnceSomebodyHasSearched)
{
    EXPECT_THROW(m_catalog.Find("pear"), InputError);
    EXPECT_THAT(Refusal("pear"), testing::HasSubstr("too late"));
}

} // namespace inca
