/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/span-set.h"

#include <algorithm>

namespace inca
{

namespace
{

/** The first of @p spans that ends after @p timePs. */
SpanSet::const_iterator
FirstEndingAfter(const SpanSet& spans, std::int64_t timePs)
{
    return std::upper_bound(spans.begin(),
                            spans.end(),
                            timePs,
                            [](std::int64_t t, const Span& span) { return t < span.endPs; });
}

} // namespace

SpanSet
Intersect(const SpanSet& a, const SpanSet& b)
{
    SpanSet both;
    for (const auto& span : a)
    {
        for (auto i = FirstEndingAfter(b, span.beginPs); i != b.end() && i->beginPs < span.endPs;
             ++i)
        {
            both.push_back({std::max(span.beginPs, i->beginPs), std::min(span.endPs, i->endPs)});
        }
    }
    return both;
}

SpanSet
Subtract(const SpanSet& a, const SpanSet& b)
{
    SpanSet rest;
    for (const auto& span : a)
    {
        auto beginPs = span.beginPs;
        for (auto i = FirstEndingAfter(b, span.beginPs); i != b.end() && i->beginPs < span.endPs;
             ++i)
        {
            if (i->beginPs > beginPs)
            {
                rest.push_back({beginPs, i->beginPs});
            }
            beginPs = i->endPs;
        }
        if (beginPs < span.endPs)
        {
            rest.push_back({beginPs, span.endPs});
        }
    }
    return rest;
}

std::int64_t
Length(const SpanSet& spans)
{
    std::int64_t totalPs = 0;
    for (const auto& span : spans)
    {
        totalPs += span.endPs - span.beginPs;
    }
    return totalPs;
}

} // namespace inca
