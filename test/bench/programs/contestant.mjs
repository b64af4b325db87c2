// One client in a process of its own, which sends requests when its parent asks it to, and says what each of them cost.
// Arguments: the client's name, the address of its server, the entry of the installed package.
import { scenariosOf } from './contestants.mjs';

const scenarios = await scenariosOf(...process.argv.slice(2));

process.on('message', async ({ scenario, requests }) => {
  const call = scenarios[scenario];
  const start = performance.now();
  const cpu = process.cpuUsage();
  for (let n = 0; n < requests; n += 1) await call();
  const { user, system } = process.cpuUsage(cpu);
  const wallUs = ((performance.now() - start) * 1000) / requests;
  process.send({ wallUs, cpuUs: (user + system) / requests });
});
process.on('disconnect', () => process.exit());
process.send('ready');
