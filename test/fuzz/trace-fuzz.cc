/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "trace/native-trace.h"

#include "fuzz/input.h"

/* A native trace: what is accepted says the same when it is written and read again. */
int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace inca;
    try
    {
        const auto written = FormatTrace(ParseTrace(Input(data, size).Rest(), "drawn.csv"));
        Require(FormatTrace(ParseTrace(written, "written.csv")) == written);
    }
    catch (const InputError&)
    {
    }
    return 0;
}
