/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_HOMOMORPHIC_VALIDATION_H
#define INCA_VALIDATION_HOMOMORPHIC_VALIDATION_H

#include "validation/comparison.h"
#include "validation/validation-request.h"

#include <string>
#include <vector>

namespace inca
{

/** The four models, then "benchmark", "ratio" and "bytes". */
std::vector<std::string> HomomorphicPartNames();

/**
 * What INCA predicts of lossless homomorphic compression (arXiv 2402.07529): throughput and
 * iteration times of four models over four exchanges, the released benchmark's set-up, and the
 * ratio at which the claimed throughput is reached. The paper's tables are not available to us, so
 * nothing is judged but bytes, by arithmetic.
 * @throws InputError if a part is unknown, naming the nearest, or a setting cannot be applied or is
 *         one that differs from run to run
 */
ValidationReport ValidateHomomorphic(const ValidationRequest& request);

} // namespace inca

#endif // INCA_VALIDATION_HOMOMORPHIC_VALIDATION_H
