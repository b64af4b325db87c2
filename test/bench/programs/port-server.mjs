// A server on a port of its own: the emulator, or a bare node:http server with the same checks. Sends its parent its
// address, and its CPU time whenever it is asked. Arguments: "emulator" or "bare", the folder of the built package.
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';

const [kind, dist] = process.argv.slice(2);

/** The limit is never reached, but every request counts in it. */
const LIMIT = { requests: 1_000_000_000, perMs: 10_000 };
const TOKEN = 'bench-token-of-the-port';
const MAX_BODY_BYTES = 60 * 1024 ** 2;

async function emulator() {
  const { createEmulator } = await import(pathToFileURL(`${dist}/testing/index.js`).href);
  const emulator = createEmulator({ token: TOKEN, limits: { token: LIMIT } });
  const id = emulator.campaigns.add({ name: 'Spring Sale' });
  const { hosts } = await emulator.listen();
  return {
    campaign: `${hosts.api}/api/email_campaigns/${id}`,
    email: `${hosts.send}/api/send`,
    token: TOKEN,
  };
}

/** A handwritten fake of two endpoints, with the checks that the emulator makes of a request to them. */
function bare() {
  const campaigns = new Map();
  const emails = [];
  const tokens = new Map([[TOKEN, { accountId: 1 }]]);
  const window = { start: 0, count: 0 };
  const requests = [];

  const isText = (value) => typeof value === 'string' && value !== '';
  const isAddress = (value) => isText(value?.email) && /^[^\s@]+@[^\s@]+$/.test(value.email);

  const send = (body) => {
    const errors = [];
    if (!isAddress(body.from)) errors.push("'from' is invalid");
    if (!Array.isArray(body.to) || body.to.length === 0 || !body.to.every(isAddress))
      errors.push("'to' is invalid");
    if (!isText(body.subject)) errors.push("'subject' is required");
    if (!isText(body.text) && !isText(body.html)) errors.push("'text' or 'html' is required");
    if (errors.length > 0) return [400, { success: false, errors }];
    const id = crypto.randomUUID();
    emails.push({ id, ...body });
    return [200, { success: true, message_ids: [id] }];
  };

  const serve = (message, url, body) => {
    const now = Date.now();
    if (now >= window.start + LIMIT.perMs) {
      window.start = now - (now % LIMIT.perMs);
      window.count = 0;
    }
    if (window.count >= LIMIT.requests) return [429, { error: 'Throttled' }];
    window.count += 1;
    const [, token = ''] = /^bearer\s+(.+)$/i.exec(message.headers.authorization ?? '') ?? [];
    if (!tokens.has(token)) return [401, { error: 'Incorrect API token' }];
    const [, host, ...path] = url.pathname.split('/').map(decodeURIComponent);
    if (message.method === 'GET' && host === 'account' && path[1] === 'email_campaigns') {
      const campaign = campaigns.get(path[2]);
      return campaign === undefined ? [404, { error: 'Not Found' }] : [200, { data: { ...campaign } }];
    }
    if (message.method !== 'POST' || host !== 'send' || path.join('/') !== 'api/send')
      return [404, { error: 'Not Found' }];
    if (!/json/.test(message.headers['content-type'] ?? '')) return send({});
    try {
      return send(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)));
    } catch {
      return [400, { success: false, errors: ['The request body is not valid JSON'] }];
    }
  };

  const server = createServer({ keepAliveTimeout: 60_000 }, (message, response) => {
    const { host = '' } = message.headers;
    if (!/^127\.0\.0\.1:\d+$/.test(host)) return response.writeHead(403).end();
    const url = new URL(`http://${host}${message.url}`);
    const logged = {
      method: message.method,
      path: url.pathname,
      query: url.search,
      at: Date.now(),
      status: null,
    };
    if (requests.push(logged) > 10_000) requests.splice(0, 5_000);
    const chunks = [];
    let size = 0;
    message.on('data', (chunk) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    });
    message.on('end', () => {
      const [status, json] =
        size > MAX_BODY_BYTES ? [413, { error: 'Too large' }] : serve(message, url, Buffer.concat(chunks));
      const text = JSON.stringify(json);
      logged.status = status;
      response
        .writeHead(status, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(text),
          'x-request-id': crypto.randomUUID(),
          'x-ratelimit-limit': String(LIMIT.requests),
          'x-ratelimit-remaining': String(LIMIT.requests - window.count),
        })
        .end(text);
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const origin = `http://127.0.0.1:${server.address().port}`;
      campaigns.set('1', CAMPAIGN);
      resolve({
        campaign: `${origin}/account/api/email_campaigns/1`,
        email: `${origin}/send/api/send`,
        token: TOKEN,
      });
    });
  });
}

/** A campaign as the emulator has it. */
const CAMPAIGN = {
  id: 1,
  domain_id: 301,
  domain_name: 'mail.example.com',
  name: 'Spring Sale',
  from_local_part: 'news',
  from_display_name: 'The Shop',
  reply_to: {},
  current_state: 'draft',
  current_state_metadata: {},
  created_at: '2026-01-05T10:00:00.000Z',
  updated_at: '2026-01-06T10:00:00.000Z',
  last_started_at: null,
  last_started_at_date: null,
  recipient_total_count: 0,
  contact_list_ids: [],
  contact_segment_ids: [],
  delivery_mode: 'rapid',
  delivery_options: {},
  template: {
    id: 5001,
    subject: 'Spring is here',
    merge_tags: [],
    body_html: '<p>Hello</p>',
    body_text: 'Hello',
  },
};

process.on('message', () => process.send(process.cpuUsage()));
process.on('disconnect', () => process.exit());
process.send(await { emulator, bare }[kind]());
