-- Returns a value or nil, or 0 if its last four bytes equal the given checksum.
if ARGV[1] ~= '' and redis.call('GETRANGE', KEYS[1], -4, -1) == ARGV[1] then
  return 0
end
return redis.call('GET', KEYS[1])
