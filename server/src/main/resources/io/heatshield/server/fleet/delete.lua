-- Takes a note off.
return redis.call('DEL', KEYS[1])
