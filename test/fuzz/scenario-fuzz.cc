/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "scenario/scenario-reader.h"

#include "fuzz/input.h"

/* A scenario's file: what is accepted says the same when it is written and read again. */
int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace inca;
    const auto text = Input(data, size).Rest();
    try
    {
        const auto loaded = ParseScenario(text, "drawn.toml", {});
        const auto written = FormatScenario(loaded.scenario);
        Require(FormatScenario(ParseScenario(written, "written.toml", {}).scenario) == written);
    }
    catch (const InputError&)
    {
    }
    try
    {
        ParseSweep(text, "drawn.toml");
    }
    catch (const InputError&)
    {
    }
    return 0;
}
