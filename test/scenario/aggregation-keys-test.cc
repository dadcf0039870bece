/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/units.h"
#include "exchange/slot-scheme.h"
#include "scenario-settings.h"
#include "scenario/key-row.h"
#include "scenario/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

using testing::ElementsAre;
using testing::HasSubstr;

namespace
{

/** Of a key "pond.depth" that goes from 0 to @p most. */
Setting
Depth(double most, std::string attribute)
{
    auto setting =
        SettingOf<double>({"pond.depth", "depth_m", "of water"}, DecimalForm({0, most}), 0.5)
            .setting;
    setting.attributes = {{std::move(attribute)}, PlainAttribute};
    return setting;
}

AggregationSchemeEntry
Entry(std::string name, std::vector<Setting> settings)
{
    return {std::move(name), std::move(settings), [](const SchemeSpec& spec) {
                return MakeSlotScheme(spec);
            }};
}

} // namespace

/* The switches of a ring add nothing, and those of switch-slots read no pond.depth, but switch.slots. */
TEST(AggregationKeys, AreThoseOfTheirSettingsWhereTheirSchemeAdds)
{
    const auto keys = AggregationKeys({Entry("pond", {Depth(3, "inca::Pond::Depth")})});
    ASSERT_EQ(keys.size(), 1U);
    const auto& key = keys[0];
    EXPECT_EQ(key.name + " " + key.column + " " + key.values, "pond.depth depth_m 0..3");
    Scenario scenario;
    EXPECT_EQ(key.text(scenario), "0.5");
    key.set(scenario, "2.50");
    EXPECT_EQ(key.text(scenario), "2.5");
    EXPECT_EQ(key.columnText(scenario), "2.5");
    EXPECT_EQ(scenario.rowSettings, (SettingValues{{"pond.depth", "2.5"}}));
    EXPECT_THROW(key.set(scenario, "3.5"), UnitError);
    EXPECT_EQ(key.text(scenario), "2.5");
    EXPECT_EQ(key.idle(scenario), "ring adds nothing in the network");
    scenario.exchange.algorithm = "switch-slots";
    EXPECT_EQ(key.idle(scenario), "the switches of switch-slots do not read it");
    EXPECT_EQ(key.attributes.text(scenario), "0.5"); // its default
    const auto own = AggregationKeys({Entry("slots", {SlotSchemeSettings().front()})});
    own[0].set(scenario, "7");
    EXPECT_EQ(own[0].idle(scenario), "");
    EXPECT_EQ(own[0].attributes.text(scenario), "7");
}

TEST(AggregationKeys, AreSharedByTheSchemesThatDescribeThem)
{
    const auto keys = AggregationKeys({Entry("pond", {Depth(3, "inca::Pond::Depth")}),
                                       Entry("lake", {Depth(3, "inca::Lake::Depth")})});
    ASSERT_EQ(keys.size(), 1U);
    EXPECT_THAT(keys[0].attributes.paths, ElementsAre("inca::Pond::Depth", "inca::Lake::Depth"));
    EXPECT_THAT(ComplaintsIn([] {
                    AggregationKeys({Entry("pond", {Depth(3, "inca::Pond::Depth")}),
                                     Entry("sea", {Depth(4000, "inca::Sea::Depth")})});
                }),
                ElementsAre(HasSubstr("'sea' describes pond.depth otherwise")));
}

} // namespace inca
