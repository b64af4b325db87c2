/**
 * The scripts that run in Redis. A permit is a member of a sorted set, one set for each pool. Its score is the time
 * at which it is returned, by the shared time. The process that takes a permit chooses its id, so that it can repeat
 * a command whose reply was lost. Every key expires ten minutes after its last use.
 *
 * Redis keeps the shared time, and every script advances it by the time that has passed on Redis's clock since the
 * script before. An administrator can set that clock, and a Redis that takes over has another clock. So the shared
 * time never goes back, and advances by at most the time that has passed for the calling process on its own monotonic
 * clock. Only a new process has no earlier time to compare with, and uses Redis's clock.
 */

/**
 * The beginning of every script. KEYS: the processes, each with the shared time of its last command; the shared time.
 * ARGV: this process; the milliseconds since it sent its last command, and since it received the reply to it, by its
 * own clock (0 without a reply yet). Redis ran that command between the two.
 */
const BEGIN = `
local function keep(key, ms)
  if redis.call('pttl', key) < ms + 600000 then redis.call('pexpire', key, ms + 600000) end
end
local function claim(key, kind) -- deletes a foreign key with one of our names
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
-- The shared time. heard: the shared time of this process's last command, or false.
local function time_now(heard)
  if is_lost then return read end
  local now = last + math.max(read - last_read, 0)
  -- The network explains a smaller difference. A larger one is a clock that was set: then only the certain time counts.
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

/** The beginning of a script that changes one key. It does nothing for a process that is not registered in Redis. */
const CHANGE = `${BEGIN}
local heard = redis.call('zscore', processes, me)
if is_lost or not heard then return end
local now = time_now(heard)
begin(now)
local key = KEYS[3]
`;

/**
 * Takes permits in all of these pools: the same number in each, as many as are free. While other processes wait,
 * takes at most an equal share of the limit. With no wanted permits it is a heartbeat: it registers this process and
 * reads the state of the pools.
 *
 * KEYS: as above; then for each pool its permits, the processes that wait for it, and the end of its block. ARGV: as
 * above; on a new connection the id on the previous one (`-` for none), else empty; the number of wanted permits; the
 * number of queued requests; the prefix of the permits' ids; then for each pool its limit, the number of this
 * process's permits, and the milliseconds after which a permit is returned unless its process changes that.
 *
 * Returns the number of taken permits; the milliseconds until the next request for permits; the number of processes;
 * whether the previous connection was still registered; and for each pool the permits in use, the milliseconds until
 * the end of its block, and the milliseconds until the next permit is returned. Returns -1 if this process is not
 * registered: Redis has lost its data.
 */
const ACQUIRE = `${BEGIN}
local before, wanted, queued, id = ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7]
local heard = redis.call('zscore', processes, before == '' and me or before)
if before == '' and (is_lost or not heard) then return {-1} end
-- With a new time all data is invalid: the other processes have to register their permits as well.
if is_lost then redis.call('del', processes); heard = false end
local now = time_now(heard)
-- Writes at the beginning: a Redis without free memory refuses only the first write of a script.
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
    redis.call('zremrangebyscore', key, '(' .. now + ms, '+inf') -- implausibly late
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

/**
 * Sets the time at which a permit is returned: in this many ms, or now. KEYS: as above; permits. ARGV: as above; its
 * id, ms.
 */
const RETURN_IN = `${CHANGE}
local id, ms = ARGV[4], tonumber(ARGV[5])
claim(key, 'zset')
if ms <= 0 then return redis.call('zrem', key, id) end
redis.call('zadd', key, now + ms, id)
keep(key, ms)
keep(clock, ms)
`;

/**
 * Blocks a pool for this many ms, at most an hour. Keeps a longer block. KEYS: as above; the end of the block. ARGV:
 * as above; ms.
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

/** The commands that ioredis makes from the scripts. */
export interface Scripts {
  acquire(
    keys: number,
    ...keysAndArgs: (string | number)[]
  ): Promise<[taken: number, againMs: number, processes: number, known: number, pools: PoolState[]]>;
  returnIn(...keysAndArgs: (string | number)[]): Promise<unknown>;
  block(...keysAndArgs: (string | number)[]): Promise<unknown>;
}
