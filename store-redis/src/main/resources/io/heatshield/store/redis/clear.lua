-- Deletes keys from cursor ARGV[1], about ARGV[2] of them, with names like ARGV[3], or all at once if that is empty: the
-- next cursor and how many were named.
if ARGV[3] == '' then
  redis.call('FLUSHDB')
  return {'0', 0}
end
local page = redis.call('SCAN', ARGV[1], 'MATCH', ARGV[3], 'COUNT', ARGV[2])
for _, key in ipairs(page[2]) do
  redis.call('UNLINK', key)
end
return {page[1], #page[2]}
