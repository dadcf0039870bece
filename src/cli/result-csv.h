/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_RESULT_CSV_H
#define INCA_CLI_RESULT_CSV_H

#include <string>

namespace inca
{

/**
 * Says before a long run that a CSV file cannot take its rows. @param csv empty: none is wanted
 * @throws InputError
 */
void CheckResultCsv(const std::string& csv);

} // namespace inca

#endif // INCA_CLI_RESULT_CSV_H
