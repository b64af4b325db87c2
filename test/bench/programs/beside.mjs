// All clients in one process, in turn: each of them meets the garbage and the types of the others.
// Arguments: the address of the server, the entry of the installed package, rounds, requests in a turn, the clients' names.
import { scenariosOf } from './contestants.mjs';
import { inTurn } from './in-turn.mjs';

const [origin, entry, rounds, requests, ...names] = process.argv.slice(2);
const byScenario = {};
for (const name of names) {
  for (const [scenario, call] of Object.entries(await scenariosOf(name, origin, entry)))
    byScenario[scenario] = { ...byScenario[scenario], [name]: call };
}
process.send(await inTurn(byScenario, Number(rounds), Number(requests)));
process.disconnect();
