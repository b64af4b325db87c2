async function turn(call, count) {
  const start = performance.now();
  const cpu = process.cpuUsage();
  for (let n = 0; n < count; n += 1) await call();
  const { user, system } = process.cpuUsage(cpu);
  return { wallUs: ((performance.now() - start) * 1000) / count, cpuUs: (user + system) / count };
}

/**
 * Lets the contestants of each scenario take turns, and returns what each turn cost per request. No forced collections in
 * between: they would discard compiled code, which costs a client more, the more it has.
 */
export async function inTurn(scenarios, rounds, requests) {
  const results = [];
  for (const [scenario, contestants] of Object.entries(scenarios)) {
    const entries = Object.entries(contestants);
    for (const [, call] of entries) await turn(call, requests);
    for (let round = 0; round < rounds; round += 1) {
      // The order rotates, so that no contestant always comes first.
      const order = entries.map((_, index) => entries[(index + round) % entries.length]);
      for (const [name, call] of order) {
        results.push({ scenario, name, round, ...(await turn(call, requests)) });
      }
    }
  }
  return results;
}
