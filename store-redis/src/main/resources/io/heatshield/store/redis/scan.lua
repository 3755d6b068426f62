-- A page of strings from cursor ARGV[1], about ARGV[2] of them, with names like ARGV[3] or any if that is empty: the next
-- cursor, then key, end in ms or -1, and the first nine bytes of each.
local page
if ARGV[3] == '' then
  page = redis.call('SCAN', ARGV[1], 'COUNT', ARGV[2], 'TYPE', 'string')
else
  page = redis.call('SCAN', ARGV[1], 'MATCH', ARGV[3], 'COUNT', ARGV[2], 'TYPE', 'string')
end
local answer = {page[1]}
for _, key in ipairs(page[2]) do
  answer[#answer + 1] = key
  answer[#answer + 1] = redis.call('PEXPIRETIME', key)
  answer[#answer + 1] = redis.call('GETRANGE', key, 0, 8)
end
return answer
