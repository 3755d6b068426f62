-- Returns the fleet's secret, which is the proposed one if there was none.
redis.call('SET', KEYS[1], ARGV[1], 'NX')
return redis.call('GET', KEYS[1])
