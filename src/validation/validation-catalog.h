/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_VALIDATION_CATALOG_H
#define INCA_VALIDATION_VALIDATION_CATALOG_H

#include "validation/comparison.h"
#include "validation/validation-request.h"

#include <string>
#include <vector>

namespace inca
{

/** One publication whose numbers are predicted and compared. */
struct ValidationEntry
{
    const char* name;
    const char* meaning;
    std::vector<std::string> (*models)(); ///< and other parts that --model can name
    ValidationReport (*validate)(const ValidationRequest&);
};

/** Every validation there is. */
const std::vector<ValidationEntry>& ValidationCatalog();

/** @throws InputError if there is no validation of that name, naming the nearest */
const ValidationEntry& FindValidation(const std::string& name);

} // namespace inca

#endif // INCA_VALIDATION_VALIDATION_CATALOG_H
