/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_SPEC_COMPLAINTS_H
#define INCA_EXCHANGE_SPEC_COMPLAINTS_H

#include "exchange/exchange-spec.h"
#include "exchange/step-plan.h"

#include <string>
#include <vector>

namespace inca
{

/** What most rows of the catalogue answer. @{ */

/** No rank but the workers. */
Rank NoOthers(const ExchangeSpec& spec);

/** "key: text" each, of an exchange that any 2 to 1,000,000 workers can run. */
std::vector<std::string> WorkerComplaints(const ExchangeSpec& spec);

/** @} */

/** More ranks than these are refused, so that positions and their sums stay far from overflow. */
constexpr Rank MOST_RANKS{1'000'000};

} // namespace inca

#endif // INCA_EXCHANGE_SPEC_COMPLAINTS_H
