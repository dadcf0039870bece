/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_DOUBLING_H
#define INCA_EXCHANGE_DOUBLING_H

#include "inca/exchange/exchange-spec.h"
#include "inca/exchange/step-plan.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

/** Every worker sends and receives log2(workers) times all elements. */
std::unique_ptr<StepPlan> MakeDoubling(const ExchangeSpec& spec, std::uint64_t elements);

/** "key: text" each; {} = can run: the number of workers is a power of two. */
std::vector<std::string> DoublingComplaints(const ExchangeSpec& spec);

} // namespace inca

#endif // INCA_EXCHANGE_DOUBLING_H
