-- ARGV: the number of expectations, each as key, "0" or "1" for there, content, end in ms or -1; then changes, each as
-- key, "0" to delete or "1" to put, content, end in ms or -1. Returns 1, or 0 if an expectation is not met.
local at = 2
for _ = 1, tonumber(ARGV[1]) do
  local content = redis.pcall('GET', ARGV[at])
  if type(content) == 'table' then
    return 0
  end
  if ARGV[at + 1] == '0' then
    if content then
      return 0
    end
  elseif content ~= ARGV[at + 2] or redis.call('PEXPIRETIME', ARGV[at]) ~= tonumber(ARGV[at + 3]) then
    return 0
  end
  at = at + 4
end
while at <= #ARGV do
  if ARGV[at + 1] == '0' then
    redis.call('DEL', ARGV[at])
  elseif ARGV[at + 3] == '-1' then
    redis.call('SET', ARGV[at], ARGV[at + 2])
  else
    redis.call('SET', ARGV[at], ARGV[at + 2], 'PXAT', ARGV[at + 3])
  end
  at = at + 4
end
return 1
