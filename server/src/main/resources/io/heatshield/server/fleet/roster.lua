-- Returns the nodes and the sequence numbers of their last snapshots.
return redis.call('HGETALL', KEYS[1])
