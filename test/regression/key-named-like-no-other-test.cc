/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/nearest.h"

#include <gtest/gtest.h>

namespace inca
{

/*
 * "exchange.kind" was said to mean "exchange.sum": four of its thirteen letters differ, but these are all that tell what was
 * meant. Two of "kind" may, and in "kinds" one does; of a table that is misspelled, too, all letters count.
 */
TEST(KeyNamedLikeNoOther, IsNotTakenForAnotherOfItsTable)
{
    const std::vector<std::string> keys{"exchange.sum", "exchange.order", "exchange.kinds"};
    EXPECT_EQ(Nearest("exchange.kind", {"exchange.sum", "exchange.order"}), "");
    EXPECT_EQ(Nearest("exchange.kind", keys), "exchange.kinds");
    EXPECT_EQ(Nearest("exchang.oder", keys), "exchange.order");
}

} // namespace inca
