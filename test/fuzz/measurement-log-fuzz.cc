/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "calibration/measurement-log.h"

#include "fuzz/input.h"

#include <cmath>

/* A log of measurements is refused, or all its tables have rows of which a fit can be made. */
int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace inca;
    try
    {
        const auto tables = ReadMeasurements("drawn.log", Input(data, size).Rest());
        Require(!tables.empty());
        for (const auto& table : tables)
        {
            Require(!table.rows.empty() && table.ranks <= 1'000'000 && table.ranks != 1);
            Require(table.kind < MeasuredKind::MESSAGE || table.ranks == 2);
            for (const auto& row : table.rows)
            {
                Require(std::isfinite(row.seconds) && row.seconds > 0);
                Require(row.bytes > 0 && row.line > 0);
            }
        }
    }
    catch (const InputError&)
    {
    }
    return 0;
}
