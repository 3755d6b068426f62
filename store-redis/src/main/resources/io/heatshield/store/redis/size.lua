-- Counts keys from cursor ARGV[1], about ARGV[2] of them, with names like ARGV[3], or all at once if that is empty: the
-- next cursor and the count.
if ARGV[3] == '' then
  return {'0', redis.call('DBSIZE')}
end
local page = redis.call('SCAN', ARGV[1], 'MATCH', ARGV[3], 'COUNT', ARGV[2])
return {page[1], #page[2]}
