/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_INITIAL_ATTRIBUTE_H
#define INCA_DEVICE_INITIAL_ATTRIBUTE_H

#include "ns3/attribute.h"
#include "ns3/object-base.h"
#include "ns3/ptr.h"

#include <utility>

namespace inca
{

/**
 * The accessor of an attribute that is read once: it refuses to set it (SetAttributeFailSafe returns false,
 * SetAttribute ends the program) when it was read.
 * @tparam T the object, which says by IsInUse() whether it has read its attributes
 */
template <typename T>
class InitialAccessor : public ns3::AttributeAccessor
{
  public:
    /** @param accessor reads and writes the attribute */
    explicit InitialAccessor(ns3::Ptr<const ns3::AttributeAccessor> accessor)
        : m_accessor(std::move(accessor))
    {
    }

    bool Set(ns3::ObjectBase* object, const ns3::AttributeValue& value) const override
    {
        const auto* owner = dynamic_cast<const T*>(object);
        return owner != nullptr && !owner->IsInUse() && m_accessor->Set(object, value);
    }

    bool Get(const ns3::ObjectBase* object, ns3::AttributeValue& value) const override
    {
        return m_accessor->Get(object, value);
    }

    bool HasGetter() const override
    {
        return m_accessor->HasGetter();
    }

    bool HasSetter() const override
    {
        return m_accessor->HasSetter();
    }

  private:
    ns3::Ptr<const ns3::AttributeAccessor> m_accessor; ///< reads and writes the attribute
};

/** @return @p accessor as that of an attribute that @p T reads once */
template <typename T>
ns3::Ptr<const ns3::AttributeAccessor>
Initially(ns3::Ptr<const ns3::AttributeAccessor> accessor)
{
    return ns3::Create<InitialAccessor<T>>(std::move(accessor));
}

} // namespace inca

#endif // INCA_DEVICE_INITIAL_ATTRIBUTE_H
