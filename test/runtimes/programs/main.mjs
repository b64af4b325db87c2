import process from 'node:process';
import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { smoke } from './smoke.mjs';

const said = await smoke(JSON.parse(process.argv[2]));

// A server of its own, where the runtime has node:http.
const server = await createEmulator({ seed: 'demo' }).listen();
const { items } = await new EmailPlatform(server.clientOptions()).campaigns.list();
await server.close();
console.log(`${said}, ${items.length} campaigns`);
