-- Removes nodes from the roster.
return redis.call('HDEL', KEYS[1], unpack(ARGV))
