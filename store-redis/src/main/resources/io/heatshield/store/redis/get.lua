-- What each key of ARGV[2..] holds: false, {content, end in ms or -1}, 1 if larger than ARGV[1] bytes, 2 if no string.
local held = {}
for i = 2, #ARGV do
  local length = redis.pcall('STRLEN', ARGV[i])
  if type(length) == 'table' then
    held[i - 1] = 2
  elseif length > tonumber(ARGV[1]) then
    held[i - 1] = 1
  else
    local content = redis.call('GET', ARGV[i])
    held[i - 1] = content and {content, redis.call('PEXPIRETIME', ARGV[i])}
  end
end
return held
