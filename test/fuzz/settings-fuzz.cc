/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "scenario/grid.h"
#include "scenario/scenario-reader.h"

#include "fuzz/input.h"

/* Settings as after --set, a line each, attributes among them; the lines after an empty one as after --vary. */
int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace inca;
    Input input(data, size);
    std::vector<std::string> settings;
    std::vector<Varied> varied;
    for (auto line = input.Line(); !line.empty() && settings.size() < 20; line = input.Line())
    {
        settings.push_back(line);
    }
    while (!input.IsEmpty() && varied.size() < 4)
    {
        varied.push_back({input.Line()});
    }
    try
    {
        constexpr std::size_t mostTried = 5;
        const auto points = ExpandGrid({{}, {}, varied});
        for (std::size_t i = 0; i < std::min(points.size(), mostTried); ++i)
        {
            ParseScenario(
                "[training]\ntrace = \"tensor:4kB\"\n", "tensor.toml", settings, points[i].varied);
        }
    }
    catch (const InputError&)
    {
    }
    return 0;
}
