// What verifying a webhook's post takes, and its parts. Prints as JSON the microseconds of CPU time of each, round by round.
// Arguments: the folder of the built package, rounds, posts a round.
import { createHmac } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { inTurn } from './in-turn.mjs';

const [dist, rounds, posts] = process.argv.slice(2);
const { verifyWebhook } = await import(pathToFileURL(`${dist}/webhooks/index.js`).href);

const secret = '8d20cf5ea2d1a0b3b4c5d6e7f8091a2b';
const event = {
  event: 'delivery',
  message_id: '1df37d17-0286-4d8b-8edf-bc4ec5be86e6',
  sending_stream: 'transactional',
  email: 'ann@example.org',
  sending_domain_name: 'mail.example.com',
  timestamp: 1_772_366_400,
  event_id: '502b4ebe-31ad-4dab-9e15-d1c7f5b7ae2c',
};
const hmac = { name: 'HMAC', hash: 'SHA-256' };
const importKey = () =>
  crypto.subtle.importKey('raw', new TextEncoder().encode(secret), hmac, false, ['sign']);
const key = await importKey();

const scenarios = Object.fromEntries(
  [1, 500].map((events) => {
    const payload = new TextEncoder().encode(
      JSON.stringify({ events: Array.from({ length: events }, () => event) }),
    );
    const signature = createHmac('sha256', secret).update(payload).digest('hex');
    return [
      `${events} events in a post`,
      {
        verifyWebhook: () => verifyWebhook({ payload, signature, secret }),
        'verifyWebhook again': () => verifyWebhook({ payload, signature, secret }),
        'importing the key': importKey,
        'the HMAC with an imported key': () => crypto.subtle.sign('HMAC', key, payload),
      },
    ];
  }),
);
process.stdout.write(JSON.stringify(await inTurn(scenarios, Number(rounds), Number(posts))));
