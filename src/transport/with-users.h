/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRANSPORT_WITH_USERS_H
#define INCA_TRANSPORT_WITH_USERS_H

#include <cstdint>

namespace inca
{

/**
 * What ranks use, and may leave. While it has users, timers of what is answered stay, as the next frame needs one again.
 * Behind the last of them, and where there is none, they go: a simulation ends with its last frame.
 */
class WithUsers
{
  public:
    /** A rank starts. */
    void AddUser()
    {
        ++m_users;
    }

    /** A rank that was added sends nothing more. */
    void RemoveUser()
    {
        if (--m_users == 0)
        {
            DoRest();
        }
    }

  protected:
    ~WithUsers() = default;

    /** How many there are. Whoever has the reference sees it change. */
    const std::uint32_t& Users() const
    {
        return m_users;
    }

  private:
    /** Called behind the last user; overridden by what has timers. */
    virtual void DoRest()
    {
    }

    std::uint32_t m_users{0}; ///< ranks that may send
};

} // namespace inca

#endif // INCA_TRANSPORT_WITH_USERS_H
