/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RECORD_COLUMN_MEANINGS_H
#define INCA_RECORD_COLUMN_MEANINGS_H

#include <string>
#include <string_view>

namespace inca
{

/** @return what a column of ResultColumns() means, for people; empty if it is none */
std::string MeaningOfColumn(std::string_view name);

/** @return the unit that a column's name ends in: "Gbit/s" of "busbw_gbps"; empty if it has none */
std::string UnitOfColumn(std::string_view name);

} // namespace inca

#endif // INCA_RECORD_COLUMN_MEANINGS_H
