/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_FUZZ_INPUT_H
#define INCA_TEST_FUZZ_INPUT_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace inca
{

/** What a fuzzer has drawn, taken from the front; where it ends, zeros follow. */
class Input
{
  public:
    Input(const std::uint8_t* data, std::size_t size)
        : m_data(data),
          m_size(size)
    {
    }

    bool IsEmpty() const
    {
        return m_size == 0;
    }

    std::uint8_t Byte()
    {
        if (m_size == 0)
        {
            return 0;
        }
        --m_size;
        return *m_data++;
    }

    /** Little-endian. */
    std::uint32_t Number(unsigned bytes)
    {
        std::uint32_t number = 0;
        for (unsigned i = 0; i < bytes; ++i)
        {
            number |= static_cast<std::uint32_t>(Byte()) << (8 * i);
        }
        return number;
    }

    /** All up to a line's end, which is taken too. */
    std::string Line()
    {
        const auto* end = std::find(m_data, m_data + m_size, '\n');
        std::string line(m_data, end);
        Skip(line.size() + 1);
        return line;
    }

    std::string Rest()
    {
        std::string rest(m_data, m_data + m_size);
        Skip(m_size);
        return rest;
    }

    std::vector<std::uint8_t> Bytes(std::size_t most)
    {
        std::vector<std::uint8_t> bytes(m_data, m_data + std::min(most, m_size));
        Skip(bytes.size());
        return bytes;
    }

  private:
    void Skip(std::size_t bytes)
    {
        const auto skipped = std::min(bytes, m_size);
        m_data += skipped;
        m_size -= skipped;
    }

    const std::uint8_t* m_data;
    std::size_t m_size;
};

/** What must hold whatever was drawn: the fuzzer reports the input with which it does not. */
inline void
Require(bool holds)
{
    if (!holds)
    {
        std::abort();
    }
}

} // namespace inca

/** Every target defines it; returns 0. */
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

#endif // INCA_TEST_FUZZ_INPUT_H
