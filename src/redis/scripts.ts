/**
 * The scripts that run in Redis. A permit is a member of a sorted set, one set for each pool; its score is the time at
 * which it is returned, by the clock of Redis, the only one used. The process that takes a permit chooses its id, so
 * that a command can be repeated if its reply was lost. Every key expires ten minutes after it was last needed.
 */

const NOW = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function keep(key, ms)
  if redis.call('pttl', key) < ms + 600000 then redis.call('pexpire', key, ms + 600000) end
end
local function claim(key) -- whatever else is under one of our names is not ours
  if not ({zset = 1, none = 1})[redis.call('type', key)['ok']] then redis.call('del', key) end
end
`;

/**
 * Takes permits in all of these pools, the same number in each, as many as there are; while other processes wait, at
 * most an equal share of the limit. With no permits wanted it is a heartbeat: it registers this process and reads the
 * state of the pools.
 *
 * KEYS: the processes; then of each pool its permits, the processes that wait for it, and whether it is blocked.
 * ARGV: this process; on a new connection its id on the previous one (`-` if there was none), else empty; how many
 * permits are wanted; how many requests are queued; the prefix of the permits' ids; then of each pool its limit, how
 * many permits this process has, and after how many ms a permit is returned unless its process changes that.
 *
 * Returns how many were taken; in how many ms to request more; the number of processes; whether Redis still knew the
 * previous connection; and of each pool the permits in use, for how many ms it is blocked, and in how many ms the next
 * permit is returned. Returns -1 if Redis does not know this process: it has lost its data.
 */
const ACQUIRE = `${NOW}
local me, before, wanted, queued, id = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
claim(KEYS[1])
if before == '' and not redis.call('zscore', KEYS[1], me) then return {-1} end
-- First what needs memory: a Redis that has none left refuses only the first write of a script.
redis.call('zadd', KEYS[1], now, me)
local known = redis.call('zrem', KEYS[1], before)
redis.call('zremrangebyscore', KEYS[1], '-inf', now - 15000)
keep(KEYS[1], 0)
local taken, again, least, scarce, pools = wanted, 0, math.huge, nil, {}
for i = 2, #KEYS, 3 do
  local permits, waiting, blocked = KEYS[i], KEYS[i + 1], KEYS[i + 2]
  local limit, own = tonumber(ARGV[i + 4]), tonumber(ARGV[i + 5])
  for key, ms in pairs({[permits] = tonumber(ARGV[i + 6]) + 3600000, [waiting] = 300}) do
    claim(key)
    redis.call('zremrangebyscore', key, '-inf', now)
    redis.call('zremrangebyscore', key, '(' .. now + ms, '+inf') -- later than can be believed
  end
  local used = redis.call('zcard', permits)
  local next_ms = (redis.call('zrange', permits, 0, 0, 'withscores')[2] or now) - now
  local blocked_ms = math.min(math.max(redis.call('pttl', blocked), 0), 3600000)
  if blocked_ms == 3600000 then redis.call('pexpire', blocked, blocked_ms) end
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
for i = 2, #KEYS, 3 do
  local ms = tonumber(ARGV[i + 6])
  for n = 1, taken do redis.call('zadd', KEYS[i], now + ms, id .. n) end
  if taken > 0 then keep(KEYS[i], ms) end
  if queued > 0 and taken == queued then redis.call('zrem', KEYS[i + 1], me) end
end
if taken < queued then redis.call('zadd', scarce, now + 300, me); keep(scarce, 0) end
return {taken, again, redis.call('zcard', KEYS[1]), known, pools}
`;

/** Sets when a permit is returned: in this many ms, or now. KEYS: permits. ARGV: its id, ms. */
const SETTLE = `${NOW}
claim(KEYS[1])
local ms = tonumber(ARGV[2])
if ms <= 0 then return redis.call('zrem', KEYS[1], ARGV[1]) end
redis.call('zadd', KEYS[1], now + ms, ARGV[1])
keep(KEYS[1], ms)
`;

/** Blocks a pool for this many ms, unless it is blocked for longer already. KEYS: blocked. ARGV: ms. */
const BLOCK = `
if redis.call('pttl', KEYS[1]) < tonumber(ARGV[1]) then redis.call('set', KEYS[1], 1, 'px', ARGV[1]) end
`;

/** The scripts, as commands for ioredis to define. */
export const SCRIPTS = {
  acquire: { lua: ACQUIRE },
  settle: { lua: SETTLE, numberOfKeys: 1 },
  block: { lua: BLOCK, numberOfKeys: 1 },
};

/** The state of a pool in Redis. */
export type PoolState = readonly [used: number, blockedMs: number, nextMs: number];

/** The commands that ioredis then has. */
export interface Scripts {
  acquire(
    keys: number,
    ...keysAndArgs: (string | number)[]
  ): Promise<[taken: number, againMs: number, processes: number, known: number, pools: PoolState[]]>;
  settle(key: string, id: string, ms: number): Promise<unknown>;
  block(key: string, ms: number): Promise<unknown>;
}
