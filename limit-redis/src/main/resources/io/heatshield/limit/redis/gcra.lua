-- Pours hits into a bucket that drains evenly unless that exceeds the limit, and returns how many hits
-- the bucket holds or would have held, a part of one as one.
--
-- KEYS[1]  the bucket: the moment of its level in milliseconds, and its level in drops
-- ARGV[1]  hits; 0 only looks
-- ARGV[2]  milliseconds after which the bucket is empty
-- ARGV[3]  the limit: what the bucket holds, and the drops that leave it in a millisecond
-- ARGV[4]  the present moment in milliseconds
-- ARGV[5]  the unit in milliseconds: the drops of one hit
--
-- Exact while limit times unit is below 2^53, for example 104 million a day or 285 thousand a year;
-- beyond, a hit may be rounded by less than a millionth. Time only goes forward, see sliding_window.
local hits = tonumber(ARGV[1])
local limit = tonumber(ARGV[3])
local now = tonumber(ARGV[4])
local unit = tonumber(ARGV[5])

local at, drops = now, 0
local stored = redis.call('GET', KEYS[1])
if stored then
  at, drops = struct.unpack('>dd', stored)
end
if now > at then
  drops = math.max(0, drops - (now - at) * limit)
  at = now
end

if hits == 0 or drops > (limit - hits) * unit then
  return math.ceil(drops / unit) + hits
end
drops = drops + hits * unit
redis.call('SET', KEYS[1], struct.pack('>dd', at, drops), 'PX', ARGV[2])
return math.ceil(drops / unit)
