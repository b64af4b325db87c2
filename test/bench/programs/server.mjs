// The service as far as the benchmarks need it: one campaign, a page of 100, and an email that is accepted, as fast as Node
// can serve them.
import { createServer } from 'node:http';

const campaign = (id) => ({
  id,
  domain_id: 301,
  domain_name: 'mail.example.com',
  name: `Spring Sale Announcement #${id}`,
  from_local_part: 'news',
  from_display_name: 'The Shop',
  reply_to: {},
  current_state: 'finished',
  current_state_metadata: {},
  created_at: '2026-01-05T10:00:00.000Z',
  updated_at: '2026-01-06T10:00:00.000Z',
  last_started_at: '2026-01-06T09:00:00.000Z',
  last_started_at_date: '2026-01-06',
  recipient_total_count: 1200,
  contact_list_ids: [1, 2, 3],
  contact_segment_ids: [7],
  delivery_mode: 'rapid',
  delivery_options: {},
  template: { id: 5000 + id, subject: 'Spring is here, {{first_name}}', merge_tags: ['first_name'] },
});

const bodies = { body_html: `<p>${'Hello there. '.repeat(150)}</p>`, body_text: 'Hello there. '.repeat(100) };
const one = campaign(1);
const page = {
  data: Array.from({ length: 100 }, (_, index) => campaign(index + 1)),
  pagination: {
    token: 1,
    prev_token: null,
    next_token: null,
    first_url: 'http://127.0.0.1/api/email_campaigns?token=1',
    prev_url: null,
    current_url: 'http://127.0.0.1/api/email_campaigns?token=1',
    next_url: null,
  },
};
const payloads = {
  one: Buffer.from(JSON.stringify({ data: { ...one, template: { ...one.template, ...bodies } } })),
  page: Buffer.from(JSON.stringify(page)),
  sent: Buffer.from(JSON.stringify({ success: true, message_ids: ['0c7fd939-02cf-11ed-88c2-0a58a9feac02'] })),
};

function payloadOf({ method, url }) {
  if (method === 'POST') return payloads.sent;
  return url.startsWith('/api/email_campaigns/') ? payloads.one : payloads.page;
}

const server = createServer((request, response) => {
  const body = payloadOf(request);
  request.resume();
  response
    .writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
      'x-request-id': '0b2f5f0a-6b5e-4a53-9a86-2f1c6e1b8a11',
      'x-ratelimit-limit': '1000000',
      'x-ratelimit-remaining': '999999',
      'x-ratelimit-reset': new Date(Date.now() + 10_000).toISOString(),
    })
    .end(body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.(server.address().port));
process.on('disconnect', () => process.exit());
