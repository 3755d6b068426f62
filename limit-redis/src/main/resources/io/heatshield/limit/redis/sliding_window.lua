-- Adds hits to the newest of 60 parts of a unit unless that exceeds the limit, and returns what the
-- count is or would have become.
--
-- KEYS[1]  the parts: the number of the newest, then the hits of each, number n at n modulo 60
-- ARGV[1]  hits; 0 only looks
-- ARGV[2]  milliseconds after which all of it is out of date
-- ARGV[3]  the limit
-- ARGV[4]  the number of the present part
--
-- Parts only go forward: to a caller whose clock is behind, the newest is the present one. Otherwise
-- two callers whose clocks disagree would clear each other's counts. After a clock that was far ahead,
-- the counter starts anew when it goes.
local PARTS = 60
local FORMAT = '>d' .. string.rep('I4', PARTS)

local hits = tonumber(ARGV[1])
local limit = tonumber(ARGV[3])
local now = tonumber(ARGV[4])

local newest = now
local parts = {}
local stored = redis.call('GET', KEYS[1])
if stored then
  parts = { struct.unpack(FORMAT, stored) }
  newest = table.remove(parts, 1)
end
local first = math.max(newest + 1, now - PARTS + 1)
for part = first, now do
  parts[part % PARTS + 1] = 0
end
newest = math.max(newest, now)

local count = hits
for i = 1, PARTS do
  parts[i] = parts[i] or 0
  count = count + parts[i]
end
if hits > 0 and count <= limit then
  local at = newest % PARTS + 1
  parts[at] = parts[at] + hits
  redis.call('SET', KEYS[1], struct.pack(FORMAT, newest, unpack(parts, 1, PARTS)), 'PX', ARGV[2])
end
return count
