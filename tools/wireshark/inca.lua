-- SPDX-License-Identifier: GPL-2.0-only
--
-- Shows INCA's frames in Wireshark and tshark: its transport (IPv4 protocol 253; the fields are those of
-- src/device/transport-header.h) and packets of slots (UDP port 61898; src/device/aggregation-header.h).
--   tshark -X lua_script:inca.lua -r FILE.pcap
-- or in the folder of personal Lua plugins that Help > About Wireshark > Folders names.

local TRANSPORT_IP_PROTOCOL = 253
local AGGREGATION_UDP_PORT = 61898

-- the transport

local inca = Proto("inca", "INCA transport")

local kinds = {[1] = "data", [2] = "acknowledgement", [3] = "probe"}
local DATA, ACKNOWLEDGEMENT = 1, 2

local of = {
    kind = ProtoField.uint8("inca.kind", "Kind", base.DEC, kinds),
    flags = ProtoField.uint8("inca.flags", "Flags", base.HEX),
    last = ProtoField.bool("inca.flags.last", "End of its message", 8, nil, 0x01),
    grant = ProtoField.bool("inca.flags.grant", "Grant", 8, nil, 0x02),
    compressed = ProtoField.bool("inca.flags.compressed", "Compressed by an engine", 8, nil, 0x04),
    repeated = ProtoField.bool("inca.flags.repeated", "Sent before", 8, nil, 0x08),
    plain_bytes = ProtoField.uint16("inca.plain_bytes", "Plain payload (bytes)"),
    number = ProtoField.uint32("inca.number", "Number of the frame"),
    next = ProtoField.uint32("inca.next", "First frame that is missing"),
    round = ProtoField.uint32("inca.round", "Round"),
    ordinal = ProtoField.uint32("inca.ordinal", "Ordinal of the message"),
    offset = ProtoField.uint32("inca.offset", "Offset in the message (values)"),
    held = ProtoField.uint64("inca.held", "Frames behind the missing one that are there", base.HEX),
}
inca.fields = {of.kind, of.flags, of.last, of.grant, of.compressed, of.repeated, of.plain_bytes,
               of.number, of.next, of.round, of.ordinal, of.offset, of.held}

local HEADER_BYTES = 20

local function add_flags(tree, field, range, bits)
    local flags = tree:add(field, range)
    for _, bit in ipairs(bits) do
        flags:add(bit, range)
    end
end

-- In an acknowledgement the fields that name a message say what is there beyond a gap.
local function add_message(buffer, tree, kind)
    if kind == ACKNOWLEDGEMENT then
        tree:add(of.next, buffer(4, 4))
        tree:add(of.held, buffer(8, 8))
        return
    end
    tree:add(of.number, buffer(4, 4))
    tree:add(of.round, buffer(8, 4))
    tree:add(of.ordinal, buffer(12, 4))
    tree:add(of.offset, buffer(16, 4))
end

local function transport_text(buffer, kind)
    local name = kinds[kind] or "unknown"
    if kind ~= DATA then
        return string.format("%s %d", name, buffer(4, 4):uint())
    end
    local what = bit.band(buffer(1, 1):uint(), 0x02) ~= 0 and "grant" or name
    return string.format("%s %d, round %d, message %d, from value %d", what, buffer(4, 4):uint(),
                         buffer(8, 4):uint(), buffer(12, 4):uint(), buffer(16, 4):uint())
end

function inca.dissector(buffer, packet, root)
    if buffer:len() < HEADER_BYTES then
        return 0
    end
    local kind = buffer(0, 1):uint()
    local text = transport_text(buffer, kind)
    packet.cols.protocol = "INCA"
    packet.cols.info = text
    local tree = root:add(inca, buffer(0, HEADER_BYTES), "INCA transport, " .. text)
    tree:add(of.kind, buffer(0, 1))
    add_flags(tree, of.flags, buffer(1, 1), {of.last, of.grant, of.compressed, of.repeated})
    tree:add(of.plain_bytes, buffer(2, 2))
    add_message(buffer, tree, kind)
    if buffer:len() > HEADER_BYTES then
        Dissector.get("data"):call(buffer(HEADER_BYTES):tvb(), packet, root)
    end
    return buffer:len()
end

DissectorTable.get("ip.proto"):add(TRANSPORT_IP_PROTOCOL, inca)

-- packets of slots

local slots = Proto("inca_slots", "INCA slots")

local NO_EXPONENT = -32768

local slot = {
    version = ProtoField.uint8("inca_slots.version", "Version"),
    flags = ProtoField.uint8("inca_slots.flags", "Flags", base.HEX),
    sum = ProtoField.bool("inca_slots.flags.sum", "Sum, on its way down", 8, nil, 0x01),
    repeated = ProtoField.bool("inca_slots.flags.repeated", "Sent before", 8, nil, 0x02),
    is_or = ProtoField.bool("inca_slots.flags.or", "Words are or-ed", 8, nil, 0x04),
    after_loss = ProtoField.bool("inca_slots.flags.after_loss", "After a loss", 8, nil, 0x08),
    child = ProtoField.uint16("inca_slots.child", "Contributor"),
    exponent = ProtoField.int16("inca_slots.exponent", "Exponent"),
    values = ProtoField.uint16("inca_slots.values", "Values"),
    number = ProtoField.uint64("inca_slots.number", "Number of the packet"),
    payload = ProtoField.bytes("inca_slots.payload", "Payload"),
}
slots.fields = {slot.version, slot.flags, slot.sum, slot.repeated, slot.is_or, slot.after_loss,
                slot.child, slot.exponent, slot.values, slot.number, slot.payload}

local SLOT_BYTES = 16

local function slot_text(buffer)
    local is_sum = bit.band(buffer(1, 1):uint(), 0x01) ~= 0
    local who = is_sum and "sum" or string.format("contribution of child %d", buffer(2, 2):uint())
    return string.format("%s, packet %s, %d values", who, tostring(buffer(8, 8):uint64()),
                         buffer(6, 2):uint())
end

function slots.dissector(buffer, packet, root)
    if buffer:len() < SLOT_BYTES then
        return 0
    end
    local text = slot_text(buffer)
    packet.cols.protocol = "INCA slots"
    packet.cols.info = text
    local tree = root:add(slots, buffer(), "INCA slots, " .. text)
    tree:add(slot.version, buffer(0, 1))
    add_flags(tree, slot.flags, buffer(1, 1),
              {slot.sum, slot.repeated, slot.is_or, slot.after_loss})
    tree:add(slot.child, buffer(2, 2))
    local exponent = tree:add(slot.exponent, buffer(4, 2))
    if buffer(4, 2):int() == NO_EXPONENT then
        exponent:append_text(" (none)")
    end
    tree:add(slot.values, buffer(6, 2))
    tree:add(slot.number, buffer(8, 8))
    if buffer:len() > SLOT_BYTES then
        tree:add(slot.payload, buffer(SLOT_BYTES))
    end
    return buffer:len()
end

DissectorTable.get("udp.port"):add(AGGREGATION_UDP_PORT, slots)
