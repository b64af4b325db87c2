/**
 * A campaign dashboard in the browser, without a token in it: the page calls a proxy of its own server, and the server
 * has the token. The service is emulated; no email leaves this machine.
 *
 *     npm run example:browser
 */
import { startExample } from './server.ts';

const { url } = await startExample({ port: Number(process.env.PORT ?? 0) });
console.log(`\nCampaigns are at ${url}/  (Ctrl+C ends it)`);
console.log('The service is emulated; no email leaves this machine.');
