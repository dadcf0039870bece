/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/gradient-payload.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace inca
{

namespace
{

/** Every machine that ns-3 runs on keeps fp32 in this order, so bytes are copied as they are. */
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "payloads are little-endian");

class BytePayload : public PayloadSource
{
  public:
    explicit BytePayload(std::vector<std::uint8_t> bytes)
        : m_bytes(std::move(bytes))
    {
    }

    void Read(std::uint64_t offset, std::uint64_t count, std::uint8_t* out) const override
    {
        std::copy_n(m_bytes.begin() + static_cast<std::ptrdiff_t>(offset), count, out);
    }

  private:
    std::vector<std::uint8_t> m_bytes;
};

class ValuePayload : public PayloadSource
{
  public:
    explicit ValuePayload(std::vector<float> values)
        : m_values(std::move(values))
    {
    }

    void Read(std::uint64_t offset, std::uint64_t count, std::uint8_t* out) const override
    {
        std::memcpy(out, reinterpret_cast<const std::uint8_t*>(m_values.data()) + offset, count);
    }

  private:
    std::vector<float> m_values;
};

/** Fills a block at a time: frames of one message are read one after the other. */
class LazyPayload : public PayloadSource
{
  public:
    LazyPayload(ElementRange range, std::function<void(ElementRange, float*)> fill)
        : m_range(range),
          m_fill(std::move(fill))
    {
    }

    void Read(std::uint64_t offset, std::uint64_t count, std::uint8_t* out) const override
    {
        while (count > 0)
        {
            const auto element = offset / sizeof(float);
            Load(element);
            const auto at = offset - m_block.begin * sizeof(float);
            const auto part = std::min(count, m_block.count * sizeof(float) - at);
            std::memcpy(out, reinterpret_cast<const std::uint8_t*>(m_values.data()) + at, part);
            offset += part;
            out += part;
            count -= part;
        }
    }

  private:
    static constexpr std::uint64_t BLOCK = 4096; ///< values

    void Load(std::uint64_t element) const
    {
        if (element >= m_block.begin && element < m_block.begin + m_block.count)
        {
            return;
        }
        m_block.begin = element / BLOCK * BLOCK;
        m_block.count = std::min(BLOCK, m_range.count - m_block.begin);
        m_values.resize(m_block.count);
        m_fill({m_range.begin + m_block.begin, m_block.count}, m_values.data());
    }

    ElementRange m_range;
    std::function<void(ElementRange, float*)> m_fill;
    mutable ElementRange m_block;
    mutable std::vector<float> m_values;
};

} // namespace

std::shared_ptr<const PayloadSource>
MakeValuePayload(std::vector<float> values)
{
    return std::make_shared<ValuePayload>(std::move(values));
}

std::shared_ptr<const PayloadSource>
MakeLazyPayload(ElementRange range, std::function<void(ElementRange, float*)> fill)
{
    return std::make_shared<LazyPayload>(range, std::move(fill));
}

std::shared_ptr<const PayloadSource>
MakeBytePayload(std::vector<std::uint8_t> bytes)
{
    return std::make_shared<BytePayload>(std::move(bytes));
}

std::vector<float>
ValuesOf(const std::vector<std::uint8_t>& bytes)
{
    std::vector<float> values(bytes.size() / sizeof(float));
    if (!values.empty()) // memcpy takes no null pointers, not even for nothing
    {
        std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
    }
    return values;
}

} // namespace inca
