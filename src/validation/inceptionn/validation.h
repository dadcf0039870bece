/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_INCEPTIONN_VALIDATION_H
#define INCA_VALIDATION_INCEPTIONN_VALIDATION_H

#include "validation/comparison.h"
#include "validation/validation-request.h"

#include <string>
#include <vector>

namespace inca
{

/** The names of the models, in the paper's order. */
std::vector<std::string> InceptionnModelNames();

/**
 * Runs the four systems of INCEPTIONN for each of its models, or for those that @p request names,
 * and puts what they give beside what the paper gives.
 * @throws InputError if a model is unknown, naming the nearest, or a setting cannot be applied or
 *         asks for another number of workers, for which nothing is published
 */
ValidationReport ValidateInceptionn(const ValidationRequest& request);

} // namespace inca

#endif // INCA_VALIDATION_INCEPTIONN_VALIDATION_H
