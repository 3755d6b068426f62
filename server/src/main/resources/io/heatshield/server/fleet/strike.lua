-- Strikes nodes off the roster.
return redis.call('HDEL', KEYS[1], unpack(ARGV))
