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
 * (Step::reduction). Workers are the only ranks. What the switches do, and how much travels, is
 * the aggregation program's business.
 *
 * Where it is sharded, worker w gets the sums of block w alone and makes weights of them; in a second
 * step all workers hand their blocks of weights to all, through the same switches, which add nothing.
 * With spec.phase it is one of these steps.
 */
std::unique_ptr<StepPlan> MakeSwitchSum(const ExchangeSpec& spec, std::uint64_t elements);

} // namespace inca

#endif // INCA_EXCHANGE_SWITCH_SUM_H
