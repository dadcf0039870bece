/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_CATALOG_H
#define INCA_BASE_CATALOG_H

#include "inca/base/errors.h"
#include "inca/base/nearest.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inca
{

/** @return whether it is made of lower-case letters, digits and '-', and begins with a letter */
inline bool
IsRowName(std::string_view name)
{
    constexpr std::string_view letters{"abcdefghijklmnopqrstuvwxyz"};
    constexpr std::string_view all{"abcdefghijklmnopqrstuvwxyz0123456789-"};
    return !name.empty() && letters.find(name.front()) != std::string_view::npos &&
           name.find_first_not_of(all) == std::string_view::npos;
}

/**
 * Rows that are found by their names: INCA's own, then those that a program registers. A program
 * registers before anybody looks: whoever has asked for the names of all rows may keep the answer.
 *
 * Catalogues are the only mutable globals that a result can depend on. Beside them a file keeps what its signal handler
 * (base/interrupt) or what runs before main (cli/ns3-variables) says: nobody can
 * give those anything.
 *
 * @tparam Row has a std::string name, and a bool isExtension
 */
template <class Row>
class Catalog
{
  public:
    /** @param place stands before each complaint: "exchange.algorithm" */
    Catalog(std::string place, std::vector<Row> rows)
        : m_place(std::move(place)),
          m_rows(std::move(rows))
    {
    }

    /** @throws InputError if the name is taken or is none, or somebody has looked already */
    void Register(Row row)
    {
        const auto name = "'" + row.name + "'";
        if (m_seen)
        {
            throw InputError(m_place + ": " + name +
                             " comes too late: rows are registered before the first look-up");
        }
        if (!IsRowName(row.name))
        {
            throw InputError(m_place + ": " + name +
                             " is no name: it must be lower-case letters, "
                             "digits and '-', and begin with a letter");
        }
        if (Search(row.name) != nullptr)
        {
            throw InputError(m_place + ": " + name + " is there already");
        }
        row.isExtension = true;
        m_rows.push_back(std::move(row));
    }

    const std::vector<Row>& Rows()
    {
        m_seen = true;
        return m_rows;
    }

    std::vector<std::string> Names()
    {
        std::vector<std::string> names;
        for (const auto& row : Rows())
        {
            names.push_back(row.name);
        }
        return names;
    }

    /** @throws InputError if there is no such row, naming the nearest */
    const Row& Find(std::string_view name)
    {
        m_seen = true;
        const auto* row = Search(name);
        if (row == nullptr)
        {
            throw InputError(m_place + ": " + UnknownName(name, Names()));
        }
        return *row;
    }

  private:
    const Row* Search(std::string_view name) const
    {
        for (const auto& row : m_rows)
        {
            if (row.name == name)
            {
                return &row;
            }
        }
        return nullptr;
    }

    std::string m_place;
    std::vector<Row> m_rows;
    bool m_seen{false}; ///< somebody has looked
};

} // namespace inca

#endif // INCA_BASE_CATALOG_H
