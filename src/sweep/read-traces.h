/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_READ_TRACES_H
#define INCA_SWEEP_READ_TRACES_H

#include "trace/gradient-trace.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** Each trace once: a pipe gives it only once, and a wrong one is told before any run. */
class ReadTraces
{
  public:
    /** @throws InputError each time that a wrong one is asked for */
    std::shared_ptr<const GradientTrace> Get(const std::string& name);

    /** @return it if it has been read before, and is a trace; else null */
    std::shared_ptr<const GradientTrace> Known(const std::string& name) const;

  private:
    struct Outcome
    {
        std::shared_ptr<const GradientTrace> trace;
        std::optional<std::vector<std::string>> error;
    };

    static Outcome Read(const std::string& name);

    std::map<std::string, Outcome> m_traces;
};

} // namespace inca

#endif // INCA_SWEEP_READ_TRACES_H
