-- Deletes a value.
return redis.call('DEL', KEYS[1])
