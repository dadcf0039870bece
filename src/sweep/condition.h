/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_CONDITION_H
#define INCA_SWEEP_CONDITION_H

#include "record/database.h"
#include "scenario/key.h"
#include "scenario/sweep-spec.h"

#include <vector>

namespace inca
{

/**
 * What a sweep's points must meet: an expression of SQL over keys, "cluster.workers *
 * exchange.group_size <= 64 and codec.name != 'none'". A key stands for what its column of a result row
 * shows, in that column's unit, a number if it is one; true and false for themselves. One that has no
 * value is NULL, with which no comparison holds.
 */
class Condition
{
  public:
    /** @throws InputError if it is no expression, or names an unknown key */
    explicit Condition(const Varied& condition);

    bool Holds(const Scenario& scenario);

  private:
    Database m_database{":memory:"};
    std::vector<const Key*> m_keys; ///< by parameter
    Statement m_statement;
};

} // namespace inca

#endif // INCA_SWEEP_CONDITION_H
