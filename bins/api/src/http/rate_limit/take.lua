-- Takes one from the bucket KEYS[1], which holds ARGV[1] and fills evenly in a minute (GCRA, as governor has it).
-- Answers what is left in it, and how many microseconds to wait when there was none.
-- Kept is when the bucket is full again, in microseconds of this server's clock; a full bucket is forgotten.
local size = tonumber(ARGV[1])
local each = math.max(math.floor(60000000 / size), 1)
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local full = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now) + each
local missing = full - now
local wait = missing - size * each
if wait > 0 then
    return { 0, wait }
end
-- Not Lua's own text of a number: that has 14 digits.
redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil(missing / 1000))
return { math.floor(-wait / each), 0 }
