/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "accuracy/curve.h"
#include "base/errors.h"

#include "fuzz/input.h"

/* An accuracy curve is refused, or its rows are in order. */
int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace inca;
    try
    {
        const auto curve = ParseCurve("drawn.csv", Input(data, size).Rest());
        Require(curve.rows.size() >= 2 && curve.rows.front().step < curve.rows.back().step);
    }
    catch (const InputError&)
    {
    }
    return 0;
}
