/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RECORD_ROW_JSON_H
#define INCA_RECORD_ROW_JSON_H

#include "record/result-row.h"

#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** @return the cells of a line that JsonLineOf has made, digit for digit @throws InvariantError if it is none */
Row RowOfJson(std::string_view line);

/** As JsonLineOf, without what does not apply, which is half of a row. */
std::string JsonOfGiven(const Row& row);

/**
 * @param columns all that the row has, in their order
 * @return the cells of a line that JsonOfGiven has made, digit for digit @throws InvariantError if it is none of these
 */
Row RowOfGiven(const std::vector<std::string>& columns, std::string_view line);

/** A JSON list of texts. @{ */
std::string JsonOfTexts(const std::vector<std::string>& texts);
/** @throws InvariantError if it is none */
std::vector<std::string> TextsOfJson(std::string_view list);
/** @} */

} // namespace inca

#endif // INCA_RECORD_ROW_JSON_H
