-- Renews the lease of whoever asks for so many ms, or ends it (0), if it is still theirs.
-- KEYS: the lease's. ARGV: whose, for how many ms.
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 0
