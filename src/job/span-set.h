/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_SPAN_SET_H
#define INCA_JOB_SPAN_SET_H

#include "job/timeline.h"

#include <cstdint>
#include <vector>

namespace inca
{

/** Spans of time that neither overlap nor touch backwards: in order, each not empty. */
using SpanSet = std::vector<Span>;

/** @return where both are; linear in the length of @p a plus what it meets of @p b */
SpanSet Intersect(const SpanSet& a, const SpanSet& b);

/** @return where @p a is and @p b is not */
SpanSet Subtract(const SpanSet& a, const SpanSet& b);

/** @return the length of all spans together (ps) */
std::int64_t Length(const SpanSet& spans);

} // namespace inca

#endif // INCA_JOB_SPAN_SET_H
