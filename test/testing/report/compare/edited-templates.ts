/** Templates, the emails that they make for some recipients, and edits of them. */
import { parseTemplate } from '../../../../src/handlebars/parse.ts';
import { renderTemplate } from '../../../../src/handlebars/render.ts';
import type { ReportData, ReportMail } from '../../../../src/testing/report/data/data.ts';
import { emptyReport, reportMail } from '../../../support/report-data.ts';
import { randomOf } from './program.ts';

export interface Written {
  readonly name: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly headers: string;
  readonly file: string;
}

/** The words of an email. */
interface Topic {
  readonly name: string;
  readonly title: string;
  readonly thanks: string;
  readonly thing: string;
  readonly button: string;
  readonly path: string;
  readonly reply: string;
}

const topic = (line: string): Topic => {
  const [name = '', title = '', thanks = '', thing = '', button = '', path = '', reply = ''] =
    line.split(' | ');
  return { name, title, thanks, thing, button, path, reply };
};

const TOPICS = [
  'order | Your order is on its way | Thank you for shopping with us this week. | item | See your order | orders | help',
  'invoice | Your invoice for this month | Please find the invoice of your account below. | position | Pay the invoice | invoices | billing',
  'booking | Your table is reserved | We look forward to your visit in our house. | seat | Change the booking | bookings | tables',
  'digest | What happened this week | Here are the most read stories of your groups. | story | Read all stories | digest | editors',
  'parcel | Your parcel left our warehouse | The driver rings at your door before noon. | parcel | Follow the parcel | tracking | parcels',
  'review | How did you like it | Other readers trust an honest word of yours. | product | Write a review | reviews | voices',
  'trial | Your trial ends soon | All of your projects stay where they are. | project | Choose a plan | plans | sales',
  'event | You are on the list | Doors open an hour before the first talk. | ticket | Show the ticket | tickets | events',
  'course | A new lesson is ready | Take a quiet hour and a cup of tea for it. | lesson | Start the lesson | lessons | teachers',
  'repair | We have repaired your bicycle | The brakes were adjusted and the chain was oiled. | part | Pick a time | repairs | workshop',
].map(topic);

type Layout = (topic: Topic) => Partial<Written>;

const FOOTER = '<p style="color:#667788">Mill Lane Shop, 12 Mill Lane, Leeds</p>';

const paragraphs: Layout = ({ title, thanks, thing, button, path, reply }) => ({
  html: `<h1 style="font-size:24px">${title}</h1>
<p>Hello <strong>{{name}}</strong>,</p>
<p>${thanks}</p>
{{#if coupon}}<p>Use the code {{coupon}} before the end of the month.</p>{{/if}}
{{#if paid}}<p>We have received your payment.</p>{{else}}<p>Please transfer the amount of {{total}} within 14 days.</p>{{/if}}
{{#if several}}<p>There are {{count}} ${thing}s in it.</p>{{else}}<p>There is one ${thing} in it.</p>{{/if}}
<p><a href="https://shop.example.com/${path}/{{number}}" class="button">${button}</a></p>
<p>Questions? Write to <a href="mailto:${reply}@shop.example.com">our team</a>.</p>
${FOOTER}`,
});

const rows: Layout = ({ title, thanks, thing, button, path }) => ({
  html: `<h2>${title}</h2><p>${thanks}</p>
<table width="600"><tr><th>Number</th><th>${thing}</th><th>Price</th></tr>
{{#each items}}<tr><td style="padding:4px">{{quantity}}</td><td>{{product}}</td><td>{{price}}</td></tr>
{{/each}}{{#if gift}}<tr><td></td><td>Wrapped as a gift</td><td>{{giftPrice}}</td></tr>{{/if}}
<tr><td></td><td>Total</td><td><b>{{total}}</b></td></tr></table>
{{#if gift}}<p>The card says: "With love from all of us".</p>{{/if}}
<p><a href="https://shop.example.com/${path}/{{number}}?from=mail">${button}</a></p>${FOOTER}`,
});

const nested: Layout = ({ title, thanks, button, path, reply }) => ({
  html: `<table width="100%" bgcolor="#f4f4f4"><tr><td align="center"><table width="560"><tr><td>
<img src="https://cdn.example.com/logo.png" alt="Mill Lane" width="120">
<h1>${title}</h1>
<p>${thanks}</p>
<p>Number {{number}} of {{date}}, for {{name}}.</p>
{{#if coupon}}<div style="background:#ffeecc"><p>A present for you: {{coupon}}</p><p><a href="https://shop.example.com/presents/{{coupon}}">Take the present</a></p></div>{{/if}}
<ul>{{#each items}}<li>{{product}} <i>({{quantity}})</i></li>{{/each}}</ul>
</td></tr><tr><td><a href="https://shop.example.com/${path}/{{number}}" style="padding:12px">${button}</a></td></tr>
<tr><td><small>You get this email as a customer. <a href="https://shop.example.com/leave/{{token}}">Leave</a> or <a href="tel:+44113000${reply.length}">call us</a></small></td></tr></table></td></tr></table>`,
});

const cards: Layout = ({ title, thanks, thing, button, path }) => ({
  html: `<div class="page"><h1>${title}, {{name}}</h1><p>${thanks}</p>
{{#each items}}<div class="card"><h3>{{product}}</h3><p>Only {{price}} a ${thing} today.</p></div>
{{/each}}{{#unless paid}}<p>There is still something to pay.</p>{{/unless}}
<p>Delivered on {{date}}{{#if gift}} <b>as a gift</b>{{/if}} to your door.</p>
<div><a href="https://shop.example.com/${path}">${button}</a> <a href="https://www.example.com/about">About us</a></div>
${FOOTER}</div>`,
  text: `${title}, {{{name}}}\n\n${thanks}\n\n{{#each items}}* {{{product}}} for {{{price}}}\n{{/each}}\n${button}: https://shop.example.com/${path}\n`,
});

const languages: Layout = ({ title, thanks, button, path }) => ({
  subject: `{{#if de}}Nachricht: {{/if}}{{#if fr}}Message : {{/if}}${title}`,
  html: `{{#if en}}<h1>${title}</h1><p>Dear {{name}},</p><p>${thanks}</p><p>Your number is {{number}}.</p><p><a href="https://shop.example.com/en/${path}/{{number}}">${button}</a></p><p>Kind regards from the Mill Lane</p>{{/if}}
{{#if de}}<h1>Neuigkeiten zu Ihrem Vorgang</h1><p>Guten Tag {{name}},</p><p>vielen Dank, dass Sie bei uns sind.</p><p>Ihre Nummer lautet {{number}}.</p><p><a href="https://shop.example.com/de/${path}/{{number}}">Jetzt ansehen</a></p><p>Herzliche Grüße aus der Mühlengasse</p>{{/if}}
{{#if fr}}<h1>Des nouvelles de votre dossier</h1><p>Bonjour {{name}},</p><p>merci beaucoup pour votre confiance.</p><p>Votre numéro est le {{number}}.</p><p><a href="https://shop.example.com/fr/${path}/{{number}}">Voir maintenant</a></p><p>Cordialement, votre maison du moulin</p>{{/if}}
${FOOTER}`,
});

const textOnly: Layout = ({ title, thanks, thing, button, path, reply }) => ({
  html: '',
  text: `Hello {{{name}}},

${title}. ${thanks}

{{#each items}}{{quantity}} x {{{product}}}: {{{price}}}
{{/each}}
{{#if gift}}The card says: with love from all of us.

{{/if}}{{#if several}}All {{count}} ${thing}s come in one box.{{else}}It comes in one box.{{/if}}

${button}: https://shop.example.com/${path}/{{{number}}}

Please answer to ${reply}@shop.example.com within 30 days.
--
Mill Lane Shop, 12 Mill Lane, Leeds
`,
});

const both: Layout = ({ title, thanks, thing, button, path }) => ({
  subject: `${title}: {{{product}}}`,
  html: `<p>{{name}}, {{product}} is waiting for you.</p><p>${thanks}</p><p>Code: <b>{{code}}</b>{{#if several}}, for {{count}} ${thing}s{{/if}}</p>{{#if coupon}}<blockquote>Until {{date}}: {{coupon}}</blockquote>{{/if}}<p><a href="https://shop.example.com/${path}/{{number}}">${button}</a></p><hr><p>Mill Lane Shop<br>12 Mill Lane<br>Leeds</p>`,
  text: `{{{name}}}, {{{product}}} is waiting for you.\n\n${thanks}\n\nCode: {{code}}\n{{#if coupon}}\nUntil {{date}}: {{coupon}}\n{{/if}}\n${button}: https://shop.example.com/${path}/{{{number}}}\n\nMill Lane Shop\n12 Mill Lane\nLeeds\n`,
});

const LAYOUTS = { paragraphs, rows, nested, cards, languages, textOnly, both };

/** Seventy written for this, after the templates of the shop. */
export const written = (ofShop: readonly Written[]): Written[] => [
  ...ofShop,
  ...Object.entries(LAYOUTS).flatMap(([layout, make]) =>
    TOPICS.map((one) => ({
      name: `${layout}/${one.name}`,
      subject: one.title,
      html: '',
      text: '',
      headers: `Reply-To: ${one.reply}@shop.example.com\nX-Team: ${one.name}`,
      file: one.name === 'invoice' ? 'invoice-{{{number}}}.pdf' : '',
      ...make(one),
    })),
  ),
];

const NAMES = 'Ann Lee|Ben Okafor|Zoë|Mary Ann Gray|Øyvind|Jo|Tim Fox|Eva Roth|Ida|Kim Young'.split('|');
const PRODUCTS =
  'Tomato seeds|Trowel|A very long hose of green rubber|Seeds|Rake & hoe|Watering can|Gloves|Old rose|Clay pot|Hedge shears'.split(
    '|',
  );

/** What the recipient of a run is told. Who has which passage is the same in each run of two; of nine, a part differs. */
function fieldsOf(seed: number, index: number, count: number) {
  const random = randomOf(seed * 100 + index + 1);
  random.below(9);
  const price = () => `${random.below(90)}.${10 + random.below(90)} €`;
  const length = count === 2 ? 1 + (1 - index) * (1 + random.below(3)) : 1 + random.below(4);
  // Of two emails, each has products of its own: a value that both have is not shown to vary.
  const products = PRODUCTS.filter((_, at) => count !== 2 || at % 2 === index);
  const items = Array.from({ length }, () => ({
    product: products.splice(random.below(products.length), 1)[0] ?? '',
    quantity: 1 + random.below(9),
    price: price(),
  }));
  const isOn = (even: boolean) => (count === 2 ? (index === 0) === even : random.below(2) === 0);
  const language = index % 3;
  const day = new Date(Date.UTC(2025, seed % 12, 1 + random.below(28)));
  return {
    name: random.of(NAMES),
    product: random.of(products),
    coupon: isOn(true) ? random.text(6, 'ABCDEFGH') + String(random.below(90) + 10) : '',
    paid: isOn(false),
    gift: isOn(true),
    giftPrice: price(),
    several: items.length > 1,
    count: items.length,
    items,
    quantity: 1 + random.below(9),
    minutes: 10,
    url: `https://shop.example.com/orders/${random.below(90_000) + 10_000}`,
    total: price(),
    number: `A-${random.below(90_000) + 10_000}`,
    code: String(random.below(900_000) + 100_000),
    token: random.text(32),
    date: day.toLocaleDateString('en', { dateStyle: 'long' }),
    en: language === 0,
    de: language === 1,
    fr: language === 2,
  };
}

const parsed = new Map<string, ReturnType<typeof parseTemplate>>();
function rendered(text: string, fields: object): string {
  const template = parsed.get(text) ?? parseTemplate(text);
  parsed.set(text, template);
  return renderTemplate(template, fields as Record<string, unknown>);
}

/** The emails of a template in one run. */
export function mailsOf(template: Written, seed: number, count: number): ReportMail[] {
  return Array.from({ length: count }, (_, index) => {
    const fields = fieldsOf(seed, index, count);
    const html = rendered(template.html, fields);
    const text = rendered(template.text, fields);
    const file = rendered(template.file, fields);
    const to = `${randomOf(seed + index).text(8, 'abcdefgh')}@example.org`;
    return reportMail(String(index + 1), {
      kind: template.name,
      to,
      toName: fields.name,
      recipients: { to: [{ email: to, name: fields.name }], cc: [] },
      subject: rendered(template.subject, fields),
      html: html === '' ? null : html,
      text: text === '' ? null : text,
      headers: template.headers.split('\n').map((line) => line.split(': ') as [string, string]),
      links: Array.from(
        html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs),
        ([, url = '', words = '']) => ({
          url,
          text: words,
        }),
      ),
      attachments:
        file === ''
          ? []
          : [
              {
                filename: file,
                type: 'application/pdf',
                bytes: 900 + fields.total.length,
                inline: false,
                contentId: null,
                content: null,
              },
            ],
    });
  });
}

/** The report of a run that has one kind. */
export const reportOf = (mails: readonly ReportMail[]): ReportData => ({
  ...emptyReport,
  kinds: [{ id: mails[0]?.kind ?? '', name: mails[0]?.kind ?? '', by: 'category', count: mails.length }],
  mails,
});

type EditOf = (text: string, at: (count: number) => number) => string | undefined;

/** Replaces one of all matches; none if there is none. */
const one =
  (pattern: RegExp, replacement: string | ((found: string) => string)): EditOf =>
  (text, at) => {
    const all = [...text.matchAll(pattern)];
    const found = all[at(all.length)];
    if (found === undefined) return undefined;
    const by = typeof replacement === 'string' ? replacement : replacement(found[0]);
    return text.slice(0, found.index) + by + text.slice(found.index + found[0].length);
  };

/** Words of texts, outside of tags, expressions and addresses. */
const WORD =
  /(?<![\w./:@{#<="-]|<\/|<[^<>]*|\{\{[^{}]*|https?:\S*)[A-Za-z]{3,}(?![\w./:@}=]*[@/}=]|[^<>{}]*>)/g;
const INSIDE =
  /(?<=\{\{#(?:if|unless) [^{}]*\}\}[^{}]*[ >])[a-z]{3,}(?=[ .,:<!](?:(?!\{\{#)[^])*?\{\{\/(?:if|unless)\}\})/g;
const IN_ROW =
  /(?<=\{\{#each items\}\}(?:(?!\{\{\/each)[^])*)(?:4px| x | for |Only|today|<td>|<i>|<h3>|\()(?=(?:(?!\{\{#each)[^])*\{\{\/each)/g;
const IN_ROW_BY: Record<string, string> = {
  '4px': '6px',
  ' x ': ' × ',
  ' for ': ' at ',
  Only: 'Just',
  today: 'now',
  '<td>': '<td align="right">',
  '<i>': '<i class="n">',
  '<h3>': '<h3 class="n">',
  '(': '[',
};

/** Edits of HTML or of text, by kind. */
const BODY: Readonly<Record<string, EditOf>> = {
  'a word replaced': one(WORD, 'another'),
  'a word removed': one(new RegExp(`${WORD.source} ?`, 'g'), ''),
  'a sentence added': one(/[a-z]\.(?=[\s<])/g, (found) => `${found} This sentence is new.`),
  'a passage added': one(/<\/p>|\n\n/g, (found) =>
    found === '\n\n' ? '\n\nThis passage is new.\n\n' : '</p><p>This passage is new.</p>',
  ),
  'a passage removed': one(/<p[^>]*>[^<>{}]+<\/p>|\n\n[^{}\n]+(?=\n\n)/g, ''),
  'inside of an optional passage': one(INSIDE, 'another'),
  'inside of a row': one(IN_ROW, (found) => IN_ROW_BY[found] ?? ''),
  'the host of a link': one(/(?<=https:\/\/)(?:shop|www)\.example\.com/g, 'shop.example.net'),
  'the path of a link': one(/(?<=https:\/\/\w+\.example\.com\/)[a-z]+/g, 'elsewhere'),
  'an address': one(/(?<=mailto:|answer to )\w+(?=@)|(?<=tel:\+)\d+/g, (found) =>
    /\d/.test(found) ? '441139999' : 'office',
  ),
  'a space that goes': one(
    /(?<=[a-z,]) (?=<(?:a|b|i|strong)\b)|(?<=<\/(?:a|b|i|strong)>) (?=[a-z])|(?<=[a-z]) (?=[a-z])(?![^<>{}]*[>}])/g,
    '',
  ),
  'a style or an attribute': one(
    /(?<=font-size:|padding:|color:#|background:#|width="|bgcolor="#)\w{1,6}/g,
    (found) => (found.length === 6 ? '123456' : '18'),
  ),
  'a value that is undefined': one(
    /\{\{\{?(?:name|product|total|number|price|code|date)\}\}\}?/g,
    'undefined',
  ),
  'a value that is empty': one(/\{\{\{?(?:name|product|total|number|price|code|date)\}\}\}?/g, ''),
  'a number in fixed text': one(/\b(?:12|14|30)\b(?! *px)(?=[^<>{}]*(?:<|$|\n))/g, '17'),
  'the order of two passages': one(
    /<p>[^<>]*<\/p>\s*<p[^>]*>(?:(?!<\/p>)[^])*<\/p>|\n\n[^\n{}]+\n\n[^\n]+(?=\n\n)/g,
    (found) =>
      found.startsWith('<')
        ? found.replace(/^(<p>[^<>]*<\/p>)(\s*)([^]*)$/, '$3$2$1')
        : found.replace(/^\n\n([^\n]+)\n\n([^\n]+)$/, '\n\n$2\n\n$1'),
  ),
  'a tag': one(/<(b|i|h1|h2|h3|strong)>[^]*?<\/\1>/g, (found) =>
    found.replace(/^<\w+/, '<em').replace(/\w+>$/, 'em>'),
  ),
};

export interface Edited {
  readonly kind: string;
  readonly template: Written;
}

/** Some edits of each kind. */
export function editsOf(template: Written, seed: number, most: number): Edited[] {
  const random = randomOf(seed);
  const found = new Map<string, Edited>();
  const add = (kind: string, part: keyof Written, text: string | undefined) => {
    if (text === undefined || text === template[part]) return;
    found.set(JSON.stringify([kind, part, text]), { kind, template: { ...template, [part]: text } });
  };
  for (const [kind, edit] of Object.entries(BODY))
    for (let time = 0; time < most; time += 1)
      for (const part of ['html', 'text'] as const)
        add(
          kind,
          part,
          edit(template[part], (count) => random.below(count)),
        );
  add(
    'the subject',
    'subject',
    BODY['a word replaced']?.(template.subject, (count) => random.below(count)),
  );
  add('a header', 'headers', template.headers.replace('shop.example.com', 'example.net'));
  add('a header', 'headers', template.headers.replace(/\nX-Team.*/, ''));
  add('an attachment', 'file', template.file.replace('.pdf', '.txt').replace('invoice', 'bill'));
  return [...found.values()];
}
