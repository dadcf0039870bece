/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/validation-catalog.h"

#include "base/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

TEST(ValidationCatalog, FindsWhatItLists)
{
    for (const auto& entry : ValidationCatalog())
    {
        EXPECT_STREQ(FindValidation(entry.name).name, entry.name);
        EXPECT_FALSE(entry.models().empty()) << entry.name;
    }
}

TEST(ValidationCatalog, NamesTheNearestOfAnUnknownName)
{
    try
    {
        FindValidation("inception");
        FAIL();
    }
    catch (const InputError& error)
    {
        EXPECT_THAT(error.what(),
                    testing::HasSubstr("unknown 'inception'; did you mean 'inceptionn'?"));
    }
}

} // namespace

} // namespace inca
