/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/json-sign.h"

#include <nlohmann/json.hpp>

#include <cstddef>

namespace inca
{

namespace
{

/** Takes the keys of a file's first object, until the text ends. */
class SignBuilder : public nlohmann::json_sax<nlohmann::json>
{
  public:
    bool null() override
    {
        return true;
    }

    bool boolean(bool /*value*/) override
    {
        return true;
    }

    bool number_integer(number_integer_t /*value*/) override
    {
        return true;
    }

    bool number_unsigned(number_unsigned_t /*value*/) override
    {
        return true;
    }

    bool number_float(number_float_t /*value*/, const string_t& /*text*/) override
    {
        return true;
    }

    bool string(string_t& /*value*/) override
    {
        return true;
    }

    bool binary(binary_t& /*value*/) override
    {
        return true;
    }

    bool start_object(std::size_t /*size*/) override
    {
        m_begun = true;
        ++m_level;
        m_objectLevel = m_objectLevel == 0 ? m_level : m_objectLevel;
        return true;
    }

    bool key(string_t& value) override
    {
        if (m_level == m_objectLevel)
        {
            sign.keys.push_back(value);
        }
        return true;
    }

    bool end_object() override
    {
        return m_level-- != m_objectLevel; // the first object is all that is asked
    }

    bool start_array(std::size_t /*size*/) override
    {
        sign.isArray |= m_level == 0;
        m_begun = true;
        ++m_level;
        return true;
    }

    bool end_array() override
    {
        --m_level;
        return true;
    }

    bool parse_error(std::size_t /*position*/,
                     const std::string& /*token*/,
                     const nlohmann::detail::exception& /*error*/) override
    {
        return false;
    }

    bool HasBegun() const
    {
        return m_begun;
    }

    JsonSign sign;

  private:
    bool m_begun{false};
    std::size_t m_level{0};
    std::size_t m_objectLevel{0};
};

} // namespace

std::optional<JsonSign>
SignOfJson(std::string_view text)
{
    SignBuilder builder;
    nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
    if (!builder.HasBegun())
    {
        return std::nullopt;
    }
    return builder.sign;
}

} // namespace inca
