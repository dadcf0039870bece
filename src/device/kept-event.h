/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_KEPT_EVENT_H
#define INCA_DEVICE_KEPT_EVENT_H

#include "device/simulated-time.h"

#include "ns3/event-impl.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <typeinfo>
#include <utility>

namespace inca
{

/**
 * An event that happens again and again, at most once at a time: made once, as what devices do is
 * scheduled by the million. While it is pending, it is the same one for whoever compares two states
 * of a network (StateWalk).
 *
 * Where many hosts take turns, most of what an event reads is no longer in a cache when it comes. So who
 * has it can be told before, when some other events are still to come (EventHeap), to have it fetched.
 */
class KeptEvent
{
  public:
    /** How often an event is foreseen: what was fetched at one time can be read at the next. */
    static constexpr unsigned FORESIGHTS{4};

    KeptEvent() = default;
    KeptEvent(const KeptEvent&) = delete;
    KeptEvent& operator=(const KeptEvent&) = delete;

    KeptEvent(KeptEvent&& other) noexcept
    {
        std::swap(m_event, other.m_event);
    }

    KeptEvent& operator=(KeptEvent&& other) noexcept
    {
        std::swap(m_event, other.m_event);
        return *this;
    }

    /** Whoever has it is going: if it is pending still, it does nothing, and is not foreseen. */
    ~KeptEvent()
    {
        Forget();
    }

    /**
     * @tparam ACTION a method of @p owner, what is to happen
     * @tparam FORESEE a const method of it, called with 0 to 3 while others are still to come, or not at
     *         all; it changes nothing
     */
    template <auto ACTION, auto FORESEE = nullptr, typename Owner>
    static KeptEvent Of(Owner* owner)
    {
        return KeptEvent(ns3::Create<Impl>(
            owner,
            [](void* of) { (static_cast<Owner*>(of)->*ACTION)(); },
            [](const void* of, unsigned step) {
                if constexpr (FORESEE != nullptr)
                {
                    (static_cast<const Owner*>(of)->*FORESEE)(step);
                }
            }));
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

    /** Tells whose @p event it is, if it is a kept one. @param step how near it is, from 0 */
    static void Foresee(const ns3::EventImpl* event, unsigned step)
    {
        if (event != nullptr && typeid(*event) == typeid(Impl))
        {
            static_cast<const Impl*>(event)->Foresee(step);
        }
    }

  private:
    class Impl final : public ns3::EventImpl
    {
      public:
        using Action = void (*)(void* owner);
        using Foreseeing = void (*)(const void* owner, unsigned step);

        Impl(void* owner, Action action, Foreseeing foresee)
            : m_owner(owner),
              m_action(action),
              m_foresee(foresee)
        {
        }

        void Foresee(unsigned step) const
        {
            if (m_owner != nullptr)
            {
                m_foresee(m_owner, step);
            }
        }

        void Forget()
        {
            m_owner = nullptr;
        }

      protected:
        void Notify() override
        {
            if (m_owner != nullptr)
            {
                m_action(m_owner);
            }
        }

      private:
        void* m_owner;
        Action m_action;
        Foreseeing m_foresee;
    };

    explicit KeptEvent(ns3::Ptr<Impl> event)
        : m_event(std::move(event))
    {
    }

    void Forget() const
    {
        if (m_event)
        {
            m_event->Forget();
        }
    }

    ns3::Ptr<Impl> m_event;
};

} // namespace inca

#endif // INCA_DEVICE_KEPT_EVENT_H
