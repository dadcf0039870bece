/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/torch-collective.h"

#include "base/printable.h"
#include "import/collective-name.h"
#include "import/element-type.h"

namespace inca
{

namespace
{

constexpr std::uint64_t MOST_ELEMENTS = 1ULL << 50U;

} // namespace

const TorchCollectiveKeys EXECUTION_TRACE_KEYS{
    "collective_name", "dtype", "in_msg_nelems", "pg_name", "pg_size"};
const TorchCollectiveKeys KINETO_KEYS{
    "Collective name", "dtype", "In msg nelems", "Process Group Name", "Group size"};

std::optional<TorchCollective>
TorchCollectiveOf(const JsonPlace& place,
                  const Json& members,
                  const TorchCollectiveKeys& keys,
                  ImportReport& report)
{
    TorchCollective collective;
    const auto written = TextMember(members, keys.name);
    collective.name = NormalisedCollective(written);
    if (!written.empty())
    {
        CheckCollective(place.Prefix(keys.name), collective.name, report);
    }
    collective.elements = CountMember(place, members, keys.elements).value_or(0);
    if (collective.elements > MOST_ELEMENTS)
    {
        place.Refuse(keys.elements, "more than 2^50 elements");
    }
    if (collective.name.empty() || collective.elements == 0)
    {
        const auto name = collective.name.empty() ? "collective without a name" : collective.name;
        report.LeaveOut(Printable(name.substr(0, 40)), "moves nothing, or has no size");
        return std::nullopt;
    }
    const auto typeName = TextMember(members, keys.type);
    const auto type = FindElementType(typeName);
    if (!type)
    {
        report.Unknown(place.Prefix(keys.type), "type of elements", typeName, ElementTypeNames());
    }
    collective.elementType = type ? type->name : "";
    collective.bytes = collective.elements * (type ? type->bytes : 0);
    collective.group = TextMember(members, keys.group);
    collective.groupSize = CountMember(place, members, keys.groupSize).value_or(0);
    return collective;
}

std::string
CollectiveOfBackend(const std::string& name)
{
    for (const auto* backend : {"gloo:", "nccl:", "mpi:", "ucc:", "xccl:", "hccl:"})
    {
        if (name.rfind(backend, 0) == 0)
        {
            return NormalisedCollective(name.substr(name.find(':') + 1));
        }
    }
    return "";
}

std::uint64_t
ElementsOfShape(const Json& shape)
{
    if (!shape.is_array())
    {
        return 0;
    }
    std::uint64_t elements = 1;
    for (const auto& size : shape)
    {
        if (!size.is_number_unsigned())
        {
            return 0;
        }
        const auto count = size.get<std::uint64_t>();
        if (count != 0 && elements > MOST_ELEMENTS / count)
        {
            return 0;
        }
        elements *= count;
    }
    return elements;
}

std::uint64_t
ElementsOfRow(const Json& shape)
{
    const auto elements = ElementsOfShape(shape);
    const auto rows = elements == 0 || shape.empty() ? 0 : shape.front().get<std::uint64_t>();
    return rows == 0 ? 1 : elements / rows;
}

bool
IsNoTensor(const Json& shape, const std::string& type)
{
    return shape.is_array() && shape.empty() &&
           (type.empty() || type.find("uninitialized") != std::string::npos);
}

} // namespace inca
