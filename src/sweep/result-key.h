/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_RESULT_KEY_H
#define INCA_SWEEP_RESULT_KEY_H

#include "record/run-record.h"
#include "scenario/scenario.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

/** Says what decides the results of scenarios; reads each file of values once. */
class ResultInputs
{
  public:
    /**
     * All that decides the results, a line each: "key=value" of every key and attribute, the seed among them,
     * instead of the trace's and the values' paths checksums of what they hold; INCA's version and build,
     * and ns-3's version.
     * @param scenario resolved, with its trace read, if there is one
     * @throws InputError if a file of values cannot be read
     */
    std::vector<std::string> Of(const Scenario& scenario);

  private:
    const std::vector<InputChecksum>& Values(const Scenario& scenario);

    std::map<std::pair<std::string, std::uint32_t>, std::vector<InputChecksum>> m_values;
};

/** The hash under which a result is kept: the name-based UUID (RFC 4122, version 5) of its inputs. */
std::string ResultKey(const std::vector<std::string>& inputs);

} // namespace inca

#endif // INCA_SWEEP_RESULT_KEY_H
