/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/attribute-text.h"
#include "base/units.h"
#include "base/value-form.h"

#include "fuzz/input.h"

namespace
{

/** What is read has a text that reads back to the same. */
template <class Parse, class Format>
void
RoundTrip(const std::string& text, Parse parse, Format format)
{
    try
    {
        const auto value = parse(text);
        inca::Require(parse(format(value)) == value);
    }
    catch (const inca::UnitError&)
    {
    }
}

} // namespace

/* Quantities, numbers, and attributes' texts. */
int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace inca;
    const auto text = Input(data, size).Rest();
    for (const auto* quantity :
         {&g_bitRate, &g_byteRate, &g_byteCount, &g_wholeTime, &g_frequency, &g_valueRate})
    {
        RoundTrip(
            text,
            [quantity](const std::string& given) { return quantity->Parse(given); },
            [quantity](std::uint64_t value) { return quantity->Format(value); });
    }
    const auto decimal = DecimalForm({-1e300, 1e300});
    RoundTrip(text, decimal.parse, decimal.text);
    const auto number = SignedForm({INT64_MIN, INT64_MAX});
    RoundTrip(text, number.parse, number.text);
    for (const auto parse : {+[](const std::string& given) { ParseWholeAttribute(given); },
                             +[](const std::string& given) { ParseRealAttribute(given); },
                             +[](const std::string& given) { ParseTruthAttribute(given); },
                             +[](const std::string& given) { ParseTimeAttribute(given); },
                             +[](const std::string& given) { ParseBitRateAttribute(given); }})
    {
        try
        {
            parse(text);
        }
        catch (const UnitError&)
        {
        }
    }
    return 0;
}
