-- The nodes and the numbers of their last snapshots.
return redis.call('HGETALL', KEYS[1])
