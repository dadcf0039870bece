/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_ROUNDED_VALUES_H
#define INCA_PLAN_ROUNDED_VALUES_H

#include "job/gradient-type.h"
#include "trace/value-source.h"

#include <memory>

namespace inca
{

/** @return @p values rounded to @p type, to nearest, ties to even; of fp32, themselves */
std::shared_ptr<const ValueSource> MakeRoundedValues(std::shared_ptr<const ValueSource> values,
                                                     const GradientType& type);

} // namespace inca

#endif // INCA_PLAN_ROUNDED_VALUES_H
