/**
 * The few scripts of our own, beside Bottleneck's. Each sends only times to live, never a moment: what one machine's
 * clock says means nothing to another.
 */

/**
 * Says that this process is there, and asks how things stand. Redis without its data looks like a new one: the epoch,
 * a random text that lives as long as the rest, tells them apart. Whoever misses the epoch it knew, or finds a new
 * Redis after it had to go without, has all processes settle: they keep to their own shares until the permits of
 * every one of them are known again.
 *
 * KEYS: epoch, processes, settling. ARGV: id, new epoch, known epoch, 1 after going without, ms to settle, ms to live,
 * ms after which a silent process is gone. Returns the epoch, the number of processes, and the ms left to settle.
 */
export const REGISTER = `
local epoch = redis.call('get', KEYS[1])
local isNew = not epoch
if isNew then epoch = ARGV[2] end
redis.call('set', KEYS[1], epoch, 'px', ARGV[6])
local isLost = ARGV[3] ~= '' and ARGV[3] ~= epoch
local settling = redis.call('pttl', KEYS[3])
if (isLost or (isNew and ARGV[4] == '1')) and tonumber(ARGV[5]) > settling then
  settling = tonumber(ARGV[5])
  redis.call('set', KEYS[3], '1', 'px', settling)
end
local time = redis.call('time')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('zadd', KEYS[2], now, ARGV[1])
redis.call('zremrangebyscore', KEYS[2], '-inf', now - tonumber(ARGV[7]))
redis.call('pexpire', KEYS[2], ARGV[6])
return {epoch, redis.call('zcard', KEYS[2]), math.max(settling, 0)}
`;

/** This process goes. KEYS: processes. ARGV: id. */
export const UNREGISTER = `return redis.call('zrem', KEYS[1], ARGV[1])`;

/**
 * Looks after a pool: tells how long it stays blocked, which is the longer of what is known and what we say; has its
 * keys live on; and says when the leases of this process expire, which Bottleneck cannot change for a job that runs.
 * It ends jobs by their scores in its set of expirations; which of our jobs gets which moment makes no difference.
 *
 * KEYS: blocked; Bottleneck's settings, clients by job, expirations by job, and the rest of its keys. ARGV: Bottleneck's
 * name for this client; ms to live; ms blocked, 0 to ask only; when our jobs expire, on Bottleneck's own clock, 0 to leave
 * them; other moments for as many of them. Returns the leases out in all processes, and the ms blocked.
 */
export const SYNC_POOL = `
local left = math.max(redis.call('pttl', KEYS[1]), 0)
local ms = tonumber(ARGV[3])
if ms > left then
  left = ms
  redis.call('set', KEYS[1], '1', 'px', ms)
end
for i = 2, #KEYS do redis.call('pexpire', KEYS[i], ARGV[2]) end
local jobs = redis.call('hgetall', KEYS[3])
local at = 5
for i = 1, #jobs, 2 do
  if jobs[i + 1] == ARGV[1] then
    local moment = ARGV[at] or ARGV[4]
    if moment ~= '0' then redis.call('zadd', KEYS[4], 'xx', moment, jobs[i]) end
    at = at + 1
  end
end
return {redis.call('hget', KEYS[2], 'running'), left}
`;
