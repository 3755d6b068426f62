-- Adds hits to the counter of one window and returns its count.
--
-- KEYS[1]  the counter; its name holds the window
-- ARGV[1]  hits; 0 only looks
-- ARGV[2]  milliseconds after which it may go
--
-- A counter is made by the one command that also sets its end, so none is ever without one, also if a
-- command of this script is not permitted. Time stands still while a script runs: what SET found is
-- still there for INCRBY.
if ARGV[1] == '0' then
  return tonumber(redis.call('GET', KEYS[1]) or 0)
end
if redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX') then
  return tonumber(ARGV[1])
end
return redis.call('INCRBY', KEYS[1], ARGV[1])
