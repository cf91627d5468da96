/** What runs in Valkey, as Lua: one script for each exchange, so that a batch costs one round trip and is seen whole. */

/**
 * KEYS: the announcements, then a hash for each scope. ARGV: the counter, its minute, its day, since when announcements are wanted (ms), how
 * many it announces, these; then for each scope its counts and how long they are kept (ms). Returns the time (ms), announcements, and for
 * each scope what the other counters sent. What no longer counts, and what is no count, is deleted.
 */
export const EXCHANGE_COUNTS = `
local counter, minute, day = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local nowText = string.format('%.0f', now)
local heardAt = tonumber(ARGV[4])
local announced = tonumber(ARGV[5])
local at = 6
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ${120_000})
if announced > 0 then
  local room = ${20_000} - redis.call('ZCARD', KEYS[1])
  for index = 1, announced do
    if index <= room then redis.call('ZADD', KEYS[1], nowText, ARGV[at]) end
    at = at + 1
  end
  redis.call('PEXPIRE', KEYS[1], ${180_000})
end
if heardAt > now then heardAt = 0 end
local heard = redis.call('ZRANGEBYSCORE', KEYS[1], heardAt - ${1_000}, '+inf', 'LIMIT', 0, ${5_000})
local answers = {}
for index = 2, #KEYS do
  local key = KEYS[index]
  redis.call('HSET', key, counter, ARGV[at] .. ' ' .. nowText)
  local keptMs = tonumber(ARGV[at + 1])
  if redis.call('PTTL', key) < keptMs then redis.call('PEXPIRE', key, keptMs) end
  at = at + 2
  local all = redis.call('HGETALL', key)
  local others = {}
  for field = 1, #all, 2 do
    if all[field] ~= counter then
      local ofMinute, ofDay, today = string.match(all[field + 1], '^(%d+) (%d+) (%d+) %d+ %d+ %d+ %d+ %d+ %d+ %d+ %d+ %d+ %d+$')
      local isOld = ofMinute == nil or (tonumber(ofMinute) < minute - 1 and (tonumber(ofDay) < day or today == '0'))
      if isOld then redis.call('HDEL', key, all[field]) else others[#others + 1] = all[field + 1] end
    end
  end
  answers[#answers + 1] = others
end
return { nowText, heard, answers }
`;

/**
 * KEYS: a stream. ARGV: the sender, the last id that it has read (empty at first), what it posts. Returns the last id now, and sender and body
 * of what came after the one given. After a server has lost everything, or its clock was set back, it begins again.
 */
export const EXCHANGE_NOTICES = `
local function lastId()
  local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
  return newest[1] and newest[1][1] or '0-0'
end
local function time(id) return tonumber(string.match(id, '^(%d+)')) or 0 end
local from = ARGV[2]
local newest = lastId()
if from == '' or time(from) > time(newest) then from = newest end
for index = 3, #ARGV do
  redis.call('XADD', KEYS[1], 'MAXLEN', '~', ${10_000}, '*', 's', ARGV[1], 'b', ARGV[index])
end
redis.call('PEXPIRE', KEYS[1], ${3_600_000})
local found = redis.call('XRANGE', KEYS[1], '(' .. from, '+', 'COUNT', ${1_000})
local notices = {}
for index = 1, #found do
  from = found[index][1]
  notices[index] = { found[index][2][2], found[index][2][4] }
end
return { from, notices }
`;
