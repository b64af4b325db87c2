/** Data of reports as an emulator's recorder would give it: an ordinary run, a hostile one, a huge one, an empty one. */
import type {
  ReportData,
  ReportFinding,
  ReportKind,
  ReportMail,
  ReportRequest,
} from '../../src/testing/report/data/data.ts';

const START = Date.UTC(2026, 4, 12, 9, 30);

export const emptyReport: ReportData = {
  version: 2,
  source: 'emulator',
  writtenAt: START,
  addresses: 'shown',
  sent: 0,
  requested: 0,
  refused: 0,
  omitted: { mails: 0, requests: 0 },
  kinds: [],
  mails: [],
  requests: [],
  limits: [],
  posts: [],
  findings: [],
};

/** A mail of the shop; the caller says what differs. */
export function reportMail(id: string, more: Partial<ReportMail> = {}): ReportMail {
  const subject = more.subject ?? `Mail ${id}`;
  const to = more.to ?? 'ann@example.org';
  const at = more.at ?? START + Number(id) * 1_000;
  return {
    id,
    kind: 'k1',
    at,
    clockAt: at,
    stream: 'transactional',
    from: 'shop@example.com',
    fromName: 'Harbour Books',
    to,
    toName: null,
    field: 'to',
    recipients: { to: [{ email: to, name: null }], cc: [] },
    replyTo: null,
    subject,
    preview: subject,
    html: `<h1>${subject}</h1>`,
    text: subject,
    headers: [
      ['From', 'Harbour Books <shop@example.com>'],
      ['To', to],
      ['Subject', subject],
      ['Message-ID', `<${id}@example.com>`],
    ],
    source: `From: shop@example.com\r\nTo: ${to}\r\nSubject: ${subject}\r\n\r\n${subject}\r\n`,
    attachments: [],
    links: [],
    template: null,
    category: null,
    events: [{ type: 'delivery', at: at + 1_500 }],
    request: `r${id}`,
    ...more,
  };
}

export function reportRequest(id: string, more: Partial<ReportRequest> = {}): ReportRequest {
  const at = more.at ?? START;
  return {
    id,
    at,
    clockAt: at,
    method: 'POST',
    host: 'send',
    path: '/api/send',
    query: '',
    operation: 'sending.send',
    status: 200,
    durationMs: 12.4,
    callId: null,
    pool: 'send',
    refused: false,
    reasons: [],
    mails: [],
    details: null,
    ...more,
  };
}

const layout = (title: string, body: string) => `<!doctype html>
<html lang="en"><head><style>
  body { margin: 0; background: #f3efe7; font: 16px/1.5 Georgia, serif; color: #2b2a27 }
  .card { max-width: 560px; margin: 24px auto; background: #fff; padding: 32px; border-radius: 8px }
  h1 { font-size: 24px; margin: 0 0 16px } .button { display: inline-block; background: #1d4d4f; color: #fff;
  padding: 12px 24px; border-radius: 4px; text-decoration: none } td { padding: 6px 24px 6px 0 }
</style></head><body><div class="card"><p>Harbour Books</p><h1>${title}</h1>${body}</div></body></html>`;

/** One red pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';

const CONFIRM = 'https://shop.example.com/confirm?code=480113';

const kinds: readonly ReportKind[] = [
  { id: 'k1', name: 'Order confirmation', by: 'template', count: 4 },
  { id: 'k2', name: 'Confirm your address', by: 'subject', count: 1 },
  { id: 'k3', name: 'Receipt', by: 'template', count: 1 },
  { id: 'k4', name: 'digest', by: 'category', count: 2 },
];

const order = (id: string, to: string, total: string) =>
  reportMail(id, {
    kind: 'k1',
    to,
    subject: `Your order 20${id} is on its way`,
    html: layout(
      `Your order 20${id} is on its way`,
      `<table><tr><td>The Sea Around Us<td>€ 14.90<tr><td>Postage<td>€ 3.50<tr><td><b>Total</b><td><b>${total}</b></table>
       <p><a class="button" href="https://shop.example.com/orders/20${id}">Track the parcel</a></p>`,
    ),
    text: `Your order 20${id} is on its way. Total: ${total}`,
    links: [{ url: `https://shop.example.com/orders/20${id}`, text: 'Track the parcel' }],
    template: { name: 'Order confirmation', missing: [], unused: [] },
    events: [
      { type: 'delivery', at: START + Number(id) * 1_000 + 1_500 },
      { type: 'open', at: START + Number(id) * 1_000 + 95_000 },
    ],
  });

const mails: readonly ReportMail[] = [
  reportMail('8', {
    kind: 'k2',
    to: 'bo@example.org',
    subject: 'Confirm your address',
    html: layout(
      'Confirm your address',
      `<p>One click, and your account is ready.</p><p><a class="button" href="${CONFIRM}">Confirm</a></p>
       <p>Your code is <b>480113</b>.</p><img alt="A lighthouse" width="64" height="64" src="cid:lighthouse">`,
    ),
    text: `Confirm your address: ${CONFIRM}`,
    links: [{ url: CONFIRM, text: 'Confirm' }],
    attachments: [
      {
        filename: 'lighthouse.png',
        type: 'image/png',
        bytes: 70,
        inline: true,
        contentId: 'lighthouse',
        content: PIXEL,
      },
      {
        filename: 'terms.txt',
        type: 'text/plain',
        bytes: 12,
        inline: false,
        contentId: null,
        content: btoa('No surprises'),
      },
    ],
  }),
  reportMail('7', {
    kind: 'k3',
    subject: 'Receipt for ',
    to: 'cleo@example.org',
    html: layout('Receipt for ', '<p>Thank you, .</p>'),
    text: null,
    template: { name: 'Receipt', missing: ['name'], unused: ['nmae'] },
  }),
  ...['6', '5', '4', '3'].map((id, at) =>
    order(
      id,
      ['ann@example.org', 'bo@example.org', 'cleo@example.org', 'dan@example.org'][at] ?? '',
      '€ 18.40',
    ),
  ),
  ...['2', '1'].map((id) =>
    reportMail(id, {
      kind: 'k4',
      stream: 'bulk',
      category: 'digest',
      subject: 'New on our shelves',
      html: layout('New on our shelves', '<p>Three books about the sea.</p>'.repeat(40)),
      to: id === '2' ? 'ann@example.org' : 'gone@example.org',
      events:
        id === '2' ? [{ type: 'delivery', at: START + 3_000 }] : [{ type: 'bounce', at: START + 2_600 }],
    }),
  ),
];

const REFUSED_BODY = {
  from: { email: 'shop@example.com' },
  to: [{ email: 'ann@example.org' }, { email: 'bo@example' }],
  subject: '',
  text: "It's here.",
};

const requests: readonly ReportRequest[] = [
  ...mails.map(({ id, at }) => reportRequest(`r${id}`, { at: at - 20, mails: [id], callId: `call-${id}` })),
  reportRequest('r20', {
    at: START + 500,
    status: 422,
    refused: true,
    callId: 'call-20',
    reasons: [
      { field: 'subject', message: 'is required' },
      { field: 'to[1].email', message: 'is not a valid address' },
    ],
    details: {
      url: 'http://127.0.0.1:4010/send/api/send',
      headers: [
        ['authorization', 'Bearer [redacted]'],
        ['content-type', 'application/json'],
        ['x-note', "it's"],
      ],
      body: JSON.stringify(REFUSED_BODY),
      bodyCut: false,
      responseHeaders: [['content-type', 'application/json']],
      responseBody: JSON.stringify({ errors: { subject: ['is required'] } }),
      responseCut: false,
    },
  }),
  reportRequest('r21', {
    at: START + 300,
    method: 'GET',
    host: 'api',
    path: '/api/email_campaigns',
    query: '?per_page=50',
    operation: 'campaigns.list',
    pool: 'token',
    status: 429,
    refused: true,
    reasons: [{ field: null, message: 'The limit of 150 requests in 10 s was reached' }],
    details: {
      url: 'http://127.0.0.1:4010/api/email_campaigns?per_page=50',
      headers: [['authorization', 'Bearer [redacted]']],
      body: null,
      bodyCut: false,
      responseHeaders: [['retry-after', '4']],
      responseBody: '{"errors":"Throttled"}',
      responseCut: false,
    },
  }),
];

const findings: readonly ReportFinding[] = [
  {
    level: 'error',
    check: 'variables',
    kind: 'Receipt',
    message: '{{name}} was empty; the call passed `nmae`, which the template does not use',
    ids: ['7'],
  },
  { level: 'warn', check: 'text-part', kind: 'Receipt', message: 'No text part', ids: ['7'] },
  {
    level: 'warn',
    check: 'unsubscribe',
    kind: 'digest',
    message: 'A bulk email without an unsubscribe link',
    ids: ['2', '1'],
  },
];

/** An ordinary run of a bookshop's tests. */
export const shopReport: ReportData = {
  ...emptyReport,
  writtenAt: START + 600_000,
  sent: mails.length,
  requested: requests.length,
  refused: 2,
  kinds,
  mails,
  requests,
  findings,
  limits: [
    { pool: 'token', requests: 150, perMs: 10_000, mostUsed: 150, refused: 1 },
    { pool: 'send', requests: 500, perMs: 60_000, mostUsed: 8, refused: 0 },
  ],
  posts: [
    {
      id: 'p2',
      at: START + 5_000,
      clockAt: START + 5_000,
      type: 'delivery',
      url: 'http://localhost:3000/hooks',
      attempt: 2,
      status: 200,
      durationMs: 31,
      body: '{"events":[{"event":"delivery","email":"ann@example.org"}]}',
    },
    {
      id: 'p1',
      at: START + 4_000,
      clockAt: START + 4_000,
      type: 'delivery',
      url: 'http://localhost:3000/hooks',
      attempt: 1,
      status: 500,
      durationMs: 8,
      body: '{"events":[{"event":"delivery","email":"ann@example.org"}]}',
    },
  ],
};

/** Emails of a real test inbox. */
export const inboxReport: ReportData = {
  ...emptyReport,
  source: 'inbox',
  sent: mails.length,
  kinds,
  mails: mails.map((mail) => ({ ...mail, events: [], request: null, spamScore: 1.4, htmlErrors: 2 })),
  findings,
};

/** Mails that try to run something, or to reach the server at `origin`. */
export function hostileReport(origin: string): ReportData {
  const reach = (name: string) => `${origin}/${name}`;
  const attempts: Readonly<Record<string, string>> = {
    script: `<script>fetch('${reach('script')}');top.document.title='taken'</script>`,
    module: `<script type="module" src="${reach('module.js')}"></script>`,
    handler: `<img src="x" onerror="fetch('${reach('handler')}')"><body onload="fetch('${reach('onload')}')">`,
    image: `<img src="${reach('image')}"><img srcset="${reach('srcset')} 1x"><picture><source srcset="${reach('source')}"><img src="${reach('picture')}"></picture>`,
    style: `<style>@import '${reach('import')}'; body { background: url(${reach('background')}) } @font-face { font-family: x; src: url(${reach('font')}) } p { font-family: x }</style><p style="background:url(${reach('inline')})">text</p>`,
    sheet: `<link rel="stylesheet" href="${reach('sheet')}"><link rel="preload" as="image" href="${reach('preload')}"><link rel="prefetch" href="${reach('prefetch')}"><link rel="dns-prefetch" href="${origin}"><link rel="icon" href="${reach('icon')}">`,
    refresh: `<meta http-equiv="refresh" content="0;url=${reach('refresh')}">`,
    base: `<base href="${origin}/"><img src="based">`,
    frame: `<iframe src="${reach('frame')}"></iframe><iframe srcdoc="<img src='${reach('nested')}'><script>fetch('${reach('nested-script')}')</script>"></iframe><object data="${reach('object')}"></object><embed src="${reach('embed')}">`,
    svg: `<svg xmlns="http://www.w3.org/2000/svg" onload="fetch('${reach('svg')}')"><script>fetch('${reach('svg-script')}')</script><image href="${reach('svg-image')}"/><use href="${reach('use')}#x"/><foreignObject><img src="${reach('foreign')}"></foreignObject></svg>`,
    form: `<form action="${reach('form')}" method="post" target="_top"><input name="a" value="b" autofocus><button id="submit">Send</button></form>`,
    link: `<a id="link" href="${reach('link')}">link</a> <a id="self" target="_self" href="${reach('self')}">self</a> <a id="top" target="_top" href="${reach('top')}">top</a><a ping="${reach('ping')}" id="ping" href="#">ping</a>`,
    media: `<video src="${reach('video')}" poster="${reach('poster')}" autoplay></video><audio src="${reach('audio')}" autoplay></audio><track src="${reach('track')}">`,
    breakout: `"></iframe><script>fetch('${reach('breakout')}')</script><img src="${reach('breakout-image')}">`,
  };
  const bad = `</script><script>fetch('${reach('subject')}');document.title='taken'</script><!--`;
  const hostile = Object.entries(attempts).map(([name, html], at) =>
    reportMail(String(at + 1), {
      subject: `${name} ${bad}`,
      to: `"><img src=${reach('to')} onerror=fetch('${reach('to-handler')}')>@example.org`,
      html,
      text: bad,
      source: bad,
      headers: [[bad, bad]],
      category: bad,
      links: [
        { url: `javascript:fetch('${reach('javascript')}')`, text: bad },
        { url: `data:text/html,${bad}`, text: 'data' },
      ],
      attachments: [
        {
          filename: `${bad}.svg`,
          type: 'image/svg+xml',
          bytes: 10,
          inline: true,
          contentId: 'x',
          content: btoa(attempts.svg ?? ''),
        },
      ],
    }),
  );
  const large = reportMail('99', {
    subject: 'ten megabytes',
    html: `<p>large</p>${`<p>${'x'.repeat(990)}</p>`.repeat(10_500)}<script>fetch('${reach('large')}')</script>`,
    text: 'y'.repeat(10_000_000),
  });
  return {
    ...emptyReport,
    sent: hostile.length + 1,
    requested: 1,
    refused: 1,
    kinds: [{ id: 'k1', name: bad, by: 'subject', count: hostile.length + 1 }],
    mails: [large, ...hostile],
    requests: [
      reportRequest('r1', {
        path: bad,
        status: 422,
        refused: true,
        reasons: [{ field: bad, message: bad }],
        details: {
          url: `javascript:${bad}`,
          headers: [[bad, bad]],
          body: bad,
          bodyCut: false,
          responseHeaders: [[bad, bad]],
          responseBody: JSON.stringify({ [bad]: bad }),
          responseCut: false,
        },
      }),
    ],
    posts: [
      {
        id: 'p1',
        at: START,
        clockAt: START,
        type: bad,
        url: `javascript:${bad}`,
        attempt: 1,
        status: null,
        durationMs: null,
        body: bad,
      },
    ],
    findings: [{ level: 'error', check: 'left-over', kind: bad, message: bad, ids: ['1'] }],
  };
}

/** So many mails in forty kinds, and so many requests, every hundredth refused. */
export function hugeReport(mailCount: number, requestCount: number): ReportData {
  const hugeKinds = Array.from({ length: 40 }, (_, at): ReportKind => {
    const count = Math.floor((mailCount + 39 - at) / 40);
    return { id: `k${at}`, name: `Kind ${at}`, by: 'template', count };
  });
  const hugeMails = Array.from({ length: mailCount }, (_, at) => {
    const id = String(mailCount - at);
    return reportMail(id, {
      kind: `k${at % 40}`,
      to: `person${at % 300}@example.org`,
      subject: `Subject ${id}`,
      html: layout(`Subject ${id}`, '<p>Three books about the sea.</p>'.repeat(60)),
    });
  });
  const hugeRequests = Array.from({ length: requestCount }, (_, at) => {
    const refused = at % 100 === 7;
    return reportRequest(`r${requestCount - at}`, {
      at: START + (requestCount - at) * 100,
      status: refused ? 422 : 200,
      refused,
      reasons: refused ? [{ field: 'subject', message: 'is required' }] : [],
    });
  });
  return {
    ...emptyReport,
    writtenAt: START + 86_400_000,
    sent: mailCount,
    requested: requestCount,
    refused: hugeRequests.filter(({ refused }) => refused).length,
    kinds: hugeKinds,
    mails: hugeMails,
    requests: hugeRequests,
  };
}
