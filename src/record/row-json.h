/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RECORD_ROW_JSON_H
#define INCA_RECORD_ROW_JSON_H

#include "inca/record/result-row.h"

#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** An object in JSON: the text of each cell that applies, by its column. */
std::string JsonOfGiven(const Row& row);

/**
 * @param columns all that the row has, in their order
 * @return the cells that JsonOfGiven has made @p json of @throws InvariantError if it is none of these
 */
Row RowOfGiven(const Row& columns, std::string_view json);

/** A JSON list of texts. @{ */
std::string JsonOfTexts(const std::vector<std::string>& texts);
/** @throws InvariantError if it is none */
std::vector<std::string> TextsOfJson(std::string_view list);
/** @} */

} // namespace inca

#endif // INCA_RECORD_ROW_JSON_H
