/**
 * The scripts that run in Redis. A permit is a member of a sorted set, one set for each pool; its score is the time at
 * which it is returned, by the shared time. The process that takes a permit chooses its id, so that a command can be
 * repeated if its reply was lost. Every key expires ten minutes after it was last needed.
 *
 * The shared time is kept in Redis, and every script moves it on by what the clock of Redis says has passed since the
 * script before. That clock can be set, and another Redis that takes over has another one. So the shared time never
 * goes back, and is never moved on by more than has passed for the process that calls, by a clock of its own that nobody
 * can set. Only a process that is new has nothing to compare with, and believes Redis.
 */

/**
 * How every script begins. KEYS: the processes, each with the shared time of its last command; the shared time. ARGV:
 * this process; how many ms ago, by its own clock, it sent its last command, and how many ms ago it received the reply
 * to that (0 if it has not yet). Redis ran that command at some time between the two.
 */
const BEGIN = `
local function keep(key, ms)
  if redis.call('pttl', key) < ms + 600000 then redis.call('pexpire', key, ms + 600000) end
end
local function claim(key, kind) -- whatever else is under one of our names is not ours
  if not ({[kind] = 1, none = 1})[redis.call('type', key)['ok']] then redis.call('del', key) end
end
local function time_in(text)
  local time = tonumber(text)
  if time and time > 0 and time < 1e15 then return time end
end
local processes, clock, me = KEYS[1], KEYS[2], ARGV[1]
local since_sent, since_reply = tonumber(ARGV[2]), tonumber(ARGV[3])
claim(processes, 'zset')
claim(clock, 'hash')
local time = redis.call('time')
local read = time[1] * 1000 + math.floor(time[2] / 1000)
local last_read, last = time_in(redis.call('hget', clock, 'read')), time_in(redis.call('hget', clock, 'time'))
local is_lost = not (last_read and last)
-- The shared time; heard is what it was when Redis last heard of this process, or false.
local function time_now(heard)
  if is_lost then return read end
  local now = last + math.max(read - last_read, 0)
  -- Less than this may be due to the network. More is a clock that was set: then only what has certainly passed counts.
  if heard and now > heard + since_sent + 100 then return math.max(last, heard + since_reply) end
  return now
end
local function begin(now)
  redis.call('hset', clock, 'read', read, 'time', now)
  redis.call('zadd', processes, now, me)
  keep(clock, 0)
  keep(processes, 0)
end
`;

/** How a script begins that changes one key: it does nothing for a process that Redis does not know. */
const CHANGE = `${BEGIN}
local heard = redis.call('zscore', processes, me)
if is_lost or not heard then return end
local now = time_now(heard)
begin(now)
local key = KEYS[3]
`;

/**
 * Takes permits in all of these pools, the same number in each, as many as there are; while other processes wait, at
 * most an equal share of the limit. With no permits wanted it is a heartbeat: it registers this process and reads the
 * state of the pools.
 *
 * KEYS: as above; then of each pool its permits, the processes that wait for it, and until when it is blocked.
 * ARGV: as above; on a new connection the id on the previous one (`-` if there was none), else empty; how many permits
 * are wanted; how many requests are queued; the prefix of the permits' ids; then of each pool its limit, how many permits
 * this process has, and after how many ms a permit is returned unless its process changes that.
 *
 * Returns how many were taken; in how many ms to request more; the number of processes; whether Redis still knew the
 * previous connection; and of each pool the permits in use, for how many ms it is blocked, and in how many ms the next
 * permit is returned. Returns -1 if Redis does not know this process: it has lost its data.
 */
const ACQUIRE = `${BEGIN}
local before, wanted, queued, id = ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7]
local heard = redis.call('zscore', processes, before == '' and me or before)
if before == '' and (is_lost or not heard) then return {-1} end
-- By a new time nothing is known any more: the other processes have to register their permits as well.
if is_lost then redis.call('del', processes); heard = false end
local now = time_now(heard)
-- First what needs memory: a Redis that has none left refuses only the first write of a script.
begin(now)
local known = redis.call('zrem', processes, before)
redis.call('zremrangebyscore', processes, '-inf', now - 15000)
local taken, again, least, scarce, pools = wanted, 0, math.huge, nil, {}
for i = 3, #KEYS, 3 do
  local permits, waiting, blocked = KEYS[i], KEYS[i + 1], KEYS[i + 2]
  local limit, own = tonumber(ARGV[i + 5]), tonumber(ARGV[i + 6])
  for key, ms in pairs({[permits] = tonumber(ARGV[i + 7]) + 3600000, [waiting] = 300}) do
    claim(key, 'zset')
    redis.call('zremrangebyscore', key, '-inf', now)
    redis.call('zremrangebyscore', key, '(' .. now + ms, '+inf') -- later than can be believed
  end
  claim(blocked, 'string')
  local used = redis.call('zcard', permits)
  local next_ms = (redis.call('zrange', permits, 0, 0, 'withscores')[2] or now) - now
  local blocked_ms = math.max((time_in(redis.call('get', blocked)) or 0) - now, 0)
  if blocked_ms > 3600000 then redis.call('del', blocked); blocked_ms = 0 end
  local others = redis.call('zcard', waiting) - (redis.call('zscore', waiting, me) and 1 or 0)
  local room, ms = math.max(limit - used, 0), next_ms
  local part = math.max(math.ceil(limit / (others + 1)) - own, 0)
  if blocked_ms > 0 then room, ms = 0, blocked_ms
  elseif others > 0 and part < room then room, ms = part, 25 end
  if room < wanted then again = math.max(again, ms) end
  if room < least then least, scarce = room, waiting end
  taken = math.min(taken, room)
  pools[#pools + 1] = {used, blocked_ms, next_ms}
end
for i = 3, #KEYS, 3 do
  local ms = tonumber(ARGV[i + 7])
  for n = 1, taken do redis.call('zadd', KEYS[i], now + ms, id .. n) end
  if taken > 0 then keep(KEYS[i], ms); keep(clock, ms) end
  if queued > 0 and taken == queued then redis.call('zrem', KEYS[i + 1], me) end
end
if taken < queued then redis.call('zadd', scarce, now + 300, me); keep(scarce, 0) end
return {taken, again, redis.call('zcard', processes), known, pools}
`;

/** Sets when a permit is returned: in this many ms, or now. KEYS: as above; permits. ARGV: as above; its id, ms. */
const RETURN_IN = `${CHANGE}
local id, ms = ARGV[4], tonumber(ARGV[5])
claim(key, 'zset')
if ms <= 0 then return redis.call('zrem', key, id) end
redis.call('zadd', key, now + ms, id)
keep(key, ms)
keep(clock, ms)
`;

/**
 * Blocks a pool for this many ms, unless it is blocked for longer already; at most an hour is believed. KEYS: as above;
 * blocked. ARGV: as above; ms.
 */
const BLOCK = `${CHANGE}
local ms = math.min(tonumber(ARGV[4]), 3600000)
claim(key, 'string')
if (time_in(redis.call('get', key)) or 0) < now + ms then
  redis.call('set', key, now + ms, 'px', ms + 600000)
  keep(clock, ms)
end
`;

/** The scripts, as commands for ioredis to define. */
export const SCRIPTS = {
  acquire: { lua: ACQUIRE },
  returnIn: { lua: RETURN_IN, numberOfKeys: 3 },
  block: { lua: BLOCK, numberOfKeys: 3 },
};

/** The state of a pool in Redis. */
export type PoolState = readonly [used: number, blockedMs: number, nextMs: number];

/** The commands that ioredis then has. */
export interface Scripts {
  acquire(
    keys: number,
    ...keysAndArgs: (string | number)[]
  ): Promise<[taken: number, againMs: number, processes: number, known: number, pools: PoolState[]]>;
  returnIn(...keysAndArgs: (string | number)[]): Promise<unknown>;
  block(...keysAndArgs: (string | number)[]): Promise<unknown>;
}
