/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_SWITCH_SUM_H
#define INCA_EXCHANGE_SWITCH_SUM_H

#include "exchange/exchange-spec.h"

#include <memory>

namespace inca
{

/**
 * The switches add: every worker hands all values to the network in one step and gets their sum
 * (Step::networkSum). Workers are the only ranks. What the switches do, and how much travels, is
 * the aggregation program's business.
 */
std::unique_ptr<StepPlan> MakeSwitchSum(const ExchangeSpec& spec, std::uint64_t elements);

} // namespace inca

#endif // INCA_EXCHANGE_SWITCH_SUM_H
