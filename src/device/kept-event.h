/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_KEPT_EVENT_H
#define INCA_DEVICE_KEPT_EVENT_H

#include "inca/base/path-log.h"
#include "inca/base/state-visitor.h"
#include "inca/device/simulated-time.h"

#include "ns3/event-impl.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <utility>

namespace inca
{

/**
 * An event that happens again and again, at most once at a time: made once, as what devices do is
 * scheduled by the million. While it is pending, it is the same one for whoever compares two states
 * of a network (StateVisitor).
 */
class KeptEvent
{
  public:
    KeptEvent() = default;
    KeptEvent(const KeptEvent&) = delete;
    KeptEvent& operator=(const KeptEvent&) = delete;

    /** Takes over the event of @p other, which then has none. */
    KeptEvent(KeptEvent&& other) noexcept
    {
        std::swap(m_event, other.m_event);
    }

    /** Exchanges events with @p other. */
    KeptEvent& operator=(KeptEvent&& other) noexcept
    {
        std::swap(m_event, other.m_event);
        return *this;
    }

    /** Whoever has it is going: if it is pending still, it does nothing. */
    ~KeptEvent()
    {
        Forget();
    }

    /** @tparam ACTION a method of @p owner, what is to happen */
    template <auto ACTION, typename Owner>
    static KeptEvent Of(Owner* owner)
    {
        return KeptEvent(
            ns3::Create<Impl>(owner, [](void* of) { (static_cast<Owner*>(of)->*ACTION)(); }));
    }

    /** @param timePs now or later */
    void ScheduleAt(std::int64_t timePs) const
    {
        ScheduleAt(timePs, ns3::Simulator::GetContext());
    }

    /** In the context of @p node. */
    void ScheduleAt(std::int64_t timePs, std::uint32_t node) const
    {
        m_event->Ref(); // of the scheduler, which lets it go
        ns3::Simulator::ScheduleWithContext(
            node, Until(timePs), static_cast<ns3::EventImpl*>(ns3::PeekPointer(m_event)));
    }

    /** The same, for the reason for which things happen now. What else is scheduled says itself why it happens. */
    void ScheduleOnPathAt(std::int64_t timePs) const
    {
        m_event->path = PathLog::Now();
        m_event->isOnPath = true;
        ScheduleAt(timePs);
    }

    /** Why it is pending. */
    void VisitState(StateVisitor& visitor)
    {
        visitor.Path(m_event->path);
    }

  private:
    /** The event as ns-3 has it. While it is pending, it outlives the KeptEvent that it is of. */
    class Impl final : public ns3::EventImpl
    {
      public:
        using Action = void (*)(void* owner); ///< what is to happen, done to @p owner

        /** An event that does @p action to @p owner each time. */
        Impl(void* owner, Action action)
            : m_owner(owner),
              m_action(action)
        {
        }

        /** The owner is going: from now on the event does nothing. */
        void Forget()
        {
            m_owner = nullptr;
            path = {};
        }

        PathEnd path;         ///< to when it was scheduled
        bool isOnPath{false}; ///< it happens for that

      protected:
        void Notify() override
        {
            if (m_owner != nullptr)
            {
                if (isOnPath)
                {
                    ResumePath(path);
                }
                m_action(m_owner);
            }
        }

      private:
        void* m_owner;   ///< null: it has gone
        Action m_action; ///< what is to happen
    };

    /** Takes @p event, which nobody else has. */
    explicit KeptEvent(ns3::Ptr<Impl> event)
        : m_event(std::move(event))
    {
    }

    /** If the event is pending still, it does nothing. */
    void Forget() const
    {
        if (m_event)
        {
            m_event->Forget();
        }
    }

    ns3::Ptr<Impl> m_event; ///< null: there is none, or another one has taken it over
};

} // namespace inca

#endif // INCA_DEVICE_KEPT_EVENT_H
