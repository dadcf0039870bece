/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_COMMON_SETTINGS_H
#define INCA_CLI_COMMON_SETTINGS_H

#include "report/report-data.h"
#include "sweep/result-store.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace inca
{

/** What the points of each label have in common, but what all points have. */
class CommonSettings
{
  public:
    void Add(const StoredPoint& point);

    /** By label, in the order in which they came; none of a single one. */
    std::vector<ReportSystem> Systems() const;

  private:
    std::map<std::string, std::size_t> m_places; ///< of labels in m_systems
    std::vector<ReportSystem> m_systems;         ///< with what all have
};

} // namespace inca

#endif // INCA_CLI_COMMON_SETTINGS_H
