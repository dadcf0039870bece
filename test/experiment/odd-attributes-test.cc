/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/scenario-fixture.h"
#include "support/end-of.h"

#include "ns3/type-id.h"
#include "plan/plan-maker.h"

#include <string>
#include <vector>

namespace inca
{

namespace
{

/** Every attribute of every type in this process, ns-3's own too. */
std::vector<std::string>
AllAttributes()
{
    std::vector<std::string> paths;
    for (std::uint16_t i = 0; i < ns3::TypeId::GetRegisteredN(); ++i)
    {
        const auto type = ns3::TypeId::GetRegistered(i);
        for (std::size_t j = 0; j < type.GetAttributeN(); ++j)
        {
            paths.push_back(type.GetName() + "::" + type.GetAttribute(j).name);
        }
    }
    return paths;
}

} // namespace

class OddAttributes : public ScenarioFixture
{
};

/* No text may end in a signal, or in a broken invariant: it runs, is refused, or the run stands still. */
TEST_F(OddAttributes, AreRefusedOrRun)
{
    const std::vector<std::string> texts{
        "", "x", "-1", "0", "1", "18446744073709551615", "1e308", "999ps", "inca::Nic"};
    const auto paths = AllAttributes();
    EXPECT_GT(paths.size(), 100U); // ns-3's and INCA's
    std::size_t runs = 0;
    for (const auto& path : paths)
    {
        for (const auto& text : texts)
        {
            auto scenario = Bare("tensor:4kB");
            scenario.exchange.algorithm = ++runs % 2 == 0 ? "switch-slots" : "ring";
            scenario.attributes = {{path, text}};
            const auto end = EndOf([&scenario] { Simulate(MakePlan(scenario), [](double) {}); });
            EXPECT_TRUE(end == 0 || end == 2 || end == 4)
                << path << " = '" << text << "' with " << scenario.exchange.algorithm << ": "
                << end;
        }
    }
}

} // namespace inca
