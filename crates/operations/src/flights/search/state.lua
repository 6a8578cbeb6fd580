-- The name of the answer to a query, where there is one; else the lease of whoever asks, if nobody has it.
-- KEYS: the name's, the lease's. ARGV: who wants to ask, for how many ms.
local answer = redis.call('GET', KEYS[1])
if answer then
  return {'answered', answer, redis.call('PTTL', KEYS[1])}
end
if redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2]) then
  return {'leased', '', 0}
end
return {'asked', '', 0}
