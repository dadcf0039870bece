/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_COMPLAINT_LIST_H
#define INCA_TRACE_COMPLAINT_LIST_H

#include <cstddef>
#include <string>
#include <vector>

namespace inca
{

/** Collects what is wrong with one file, so that all of it is reported at once. */
class ComplaintList
{
  public:
    explicit ComplaintList(std::string file);

    /**
     * @param line from 1; 0 = the file as a whole
     * @param key a column's or a metadata line's name; empty = none
     * @param column a character's place in the line, from 1; 0 = none
     */
    void Add(unsigned line, const std::string& key, const std::string& text, unsigned column = 0);

    bool IsEmpty() const;

    /** @throws InputError with the first complaints and the number of the others, if there are any */
    void ThrowIfAny() const;

  private:
    std::string m_file;
    std::vector<std::string> m_complaints;
    std::size_t m_leftOut{0};
};

} // namespace inca

#endif // INCA_TRACE_COMPLAINT_LIST_H
