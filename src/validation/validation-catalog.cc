/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/validation-catalog.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "validation/homomorphic/validation.h"
#include "validation/inceptionn/validation.h"
#include "validation/switch/validation.h"

namespace inca
{

const std::vector<ValidationEntry>&
ValidationCatalog()
{
    static const std::vector<ValidationEntry> entries{
        {"inceptionn",
         "INCEPTIONN (MICRO 2018): WA, WA+C, INC and INC+C, 4 workers, 10 GbE, bound 2^-10",
         InceptionnModelNames,
         ValidateInceptionn},
        {"switch",
         "slots in a switch: iteration times of a reference simulator, closed forms, SwitchML's "
         "rates",
         SwitchPartNames,
         ValidateSwitch},
        {"homomorphic",
         "lossless homomorphic compression (arXiv 2402.07529): predictions for four models, and "
         "bytes",
         HomomorphicPartNames,
         ValidateHomomorphic},
    };
    return entries;
}

const ValidationEntry&
FindValidation(const std::string& name)
{
    std::vector<std::string> known;
    for (const auto& entry : ValidationCatalog())
    {
        if (name == entry.name)
        {
            return entry;
        }
        known.push_back(entry.name);
    }
    throw InputError("validation: " + UnknownName(name, known));
}

} // namespace inca
