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
 *
 * Where an answer was lost, Redis and this process differ in what they know, and Bottleneck would never notice. So
 * exactly the jobs that we hold are extended. Whatever else runs in our name was registered without our knowing, or
 * ended without Redis knowing, and nobody would ever end it: it ends now, but for the one that is just being
 * registered. And as many wait for us as we say, for whoever seems not to wait is passed over.
 *
 * It ends jobs by their scores in the set of expirations; Bottleneck does the rest at its next command.
 *
 * KEYS: blocked; Bottleneck's settings, clients by job, expirations by job, jobs waiting by client, and the rest of its
 * keys. ARGV: Bottleneck's name for this client; ms to live; ms blocked, 0 to ask only; when our jobs expire, on
 * Bottleneck's own clock; how many jobs we wait for; the job being registered; the jobs we hold. Returns the leases out
 * in all processes, the ms blocked, and which of the jobs we hold do not run, counted from 1.
 */
export const SYNC_POOL = `
local left = math.max(redis.call('pttl', KEYS[1]), 0)
local ms = tonumber(ARGV[3])
if ms > left then
  left = ms
  redis.call('set', KEYS[1], '1', 'px', ms)
end
for i = 2, #KEYS do redis.call('pexpire', KEYS[i], ARGV[2]) end
if redis.call('hexists', KEYS[5], ARGV[1]) == 1 then redis.call('hset', KEYS[5], ARGV[1], ARGV[5]) end
local ours = {}
local jobs = redis.call('hgetall', KEYS[3])
for i = 1, #jobs, 2 do
  if jobs[i + 1] == ARGV[1] then ours[jobs[i]] = true end
end
local gone = {}
for i = 7, #ARGV do
  if ours[ARGV[i]] then
    ours[ARGV[i]] = nil
    redis.call('zadd', KEYS[4], 'xx', ARGV[4], ARGV[i])
  else
    gone[#gone + 1] = i - 6
  end
end
ours[ARGV[6]] = nil
local running = tonumber(redis.call('hget', KEYS[2], 'running')) or 0
for job in pairs(ours) do
  running = running - 1
  redis.call('zadd', KEYS[4], 'xx', 0, job)
end
return {running, left, gone}
`;

/**
 * This process goes: its jobs end at other moments than they would have. KEYS: Bottleneck's expirations by job. ARGV:
 * each job and its moment, on Bottleneck's own clock.
 */
export const HAND_OVER = `
for i = 1, #ARGV, 2 do redis.call('zadd', KEYS[1], 'xx', ARGV[i + 1], ARGV[i]) end
`;
