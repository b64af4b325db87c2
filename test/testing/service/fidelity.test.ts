import { format } from 'oxfmt';
import { expect, test } from 'vitest';
import { areas } from '../../../src/testing/service/areas/all.ts';
import type { Arrival } from '../../../src/testing/service/state/emails/outbox.ts';
import { Arrivals } from '../../../src/testing/common/waiters.ts';
import { EndpointHandlers } from '../../../src/testing/service/engine/endpoint-handlers.ts';
import { FaultQueue } from '../../../src/testing/service/engine/faults.ts';
import { Recorder } from '../../../src/testing/report/records/recorder.ts';
import { RequestLog } from '../../../src/testing/service/engine/request-log.ts';
import type { Route } from '../../../src/testing/service/routing/route.ts';
import { buildService } from '../../../src/testing/service/build-service.ts';
import { groups, plainText, words } from '../tools/option-words.ts';
import { surface, type SurfaceRow } from '../../spec/surface.ts';

const deliver = () => Promise.resolve(new Response());
const surroundings = {
  faults: new FaultQueue(),
  handlers: new EndpointHandlers(),
  log: new RequestLog(),
  recorder: new Recorder(),
  deliver,
  folders: {},
  arrivals: new Arrivals<Arrival>(),
  origin: () => 'https://emulator.test',
};
const { world } = buildService({}, surroundings, 'empty');

const plain = (path: string) => path.replace(/\{\w+\}/g, '{}');

/** The rows of the surface for a route; none if the client does not use the route. */
const rowsOf = ({ method, path, hosts }: Route): SurfaceRow[] =>
  surface.filter(
    (row) =>
      row.verb === method &&
      hosts.some((host) => host === row.host) &&
      [row.path, row.accountPath ?? ''].some((one) => plain(one) === plain(path)),
  );

const SOURCES = { specified: 'specified', 'in part': 'specified in part', referenced: 'referenced' } as const;

/** A row of the table for each endpoint: its routes differ in the form of the path. */
function endpointRows(routes: readonly Route[]): string[] {
  const [first] = routes;
  const rows = routes.flatMap(rowsOf);
  const [row] = rows;
  const source = row === undefined ? '' : SOURCES[row.source];
  const statuses = [...new Set(rows.flatMap(({ recorded }) => recorded))].sort();
  const paths = routes.map(({ method, path }) => `\`${method} ${path}\``).join('<br>');
  return [`| ${paths} | ${source} | ${statuses.join(', ')} | ${first?.endpoint.inferred ?? ''} |`];
}

/** A default as its docstring writes it, or as the guide does where there is none. */
const shown = (value: unknown): string =>
  value === undefined || (Array.isArray(value) && value.length === 0)
    ? ''
    : typeof value === 'string'
      ? `'${value}'`
      : JSON.stringify(value) === 'null'
        ? 'Infinity'
        : JSON.stringify(value);

test('the docstring of every option says its default', () => {
  const differing = groups.flatMap(([group, options]) => {
    const documented = words(group);
    return Object.entries(options).flatMap(([name, { default: value }]) => {
      const { written = '' } = documented.get(name) ?? {};
      const said = written.replaceAll('_', '');
      // Words: the default depends on something.
      return value === undefined || said === shown(value) || said.includes(' ')
        ? []
        : [
            `${group === undefined ? '' : `${group}.`}${name}: @defaultValue is "${said}", the default ${shown(value)}`,
          ];
    });
  });
  expect(differing).toEqual([]);
});

test('docs/trust/fidelity.md lists every endpoint with its sources, and every option with its default and the reason', async () => {
  const sections = areas.map(({ name, routes }) => {
    const rows = (routes?.(world) ?? []).flatMap(endpointRows);
    return `### ${name}\n\n| Endpoint | Source | Recorded | Chosen by the emulator |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
  });
  const options = groups.map(([group, all]) => {
    const said = words(group);
    const rows = Object.entries(all).map(([name, { default: value, why }]) => {
      const path = group === undefined ? name : `${group}.${name}`;
      const { words: what = '', written = shown(value) } = said.get(name) ?? {};
      return `| \`${path}\` | ${plainText(what)} | ${written === '' ? '' : `\`${written}\``} | ${why} |`;
    });
    return `### ${group ?? 'of the whole emulator'}\n\n| Option | What it sets | Default | Why |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
  });
  const page = `# Fidelity of the emulator

<!-- Written by test/testing/service/fidelity.test.ts from the emulator itself: npm run test:unit -- test/testing/service/fidelity.test.ts -u -->

How it is known what the service does, endpoint by endpoint, and what each option of the emulator is by default, and why.
See also [Testing](../testing.md#fidelity).

## Endpoints

_Specified_: the endpoint is in the service's specification. _Specified in part_: some of its path, its fields or its
response is not; the rest is from the service's public API reference. _Referenced_: it is in the reference alone. An
endpoint without a source is another name of one that has a source, or it is where links lead. _Recorded_ are the statuses of the service's responses
that have been recorded: the emulator's have the same fields. What no source says, the emulator chose; your code should
not depend on it.

${sections.join('\n')}
## Where sources differ

Where one response can have the form of the specification and that of recorded exchanges, the emulator's has both: a message
of the email log has \`domain_id\` and \`sending_domain_id\`, and both are filters; a 401 or a 429 of a sending host or the
sandbox has \`error\`, a text, and \`errors\`, a list. Two responses cannot have both, and the option \`answers\` chooses:

| | \`'specified'\` (default) | \`'recorded'\` |
| --- | --- | --- |
| 403 of a sending host or the sandbox | \`{ "errors": "…" }\` | \`{ "success": false, "errors": ["…"] }\` |
| 429 of an account's pool | \`{ "error": "…" }\` | \`{ "errors": "…" }\` |

A 429 of the pools \`templatesList\`, \`templatesCreate\` and \`subAccountsDelete\`, of which the specification says nothing, is
always \`{ "errors": "…" }\`, without a header of the rate limit (assumed of the last).

## Requests of other clients

Clients of the service in other languages send some requests that ours does not. The emulator takes them: PUT for every
PATCH that updates a record (stated of templates, assumed of the others), \`is_read\` as text, the wrapper
\`email_template\` at \`/templates\` (stated), and an empty array in place of an empty object in \`fields\`,
\`headers\`, \`custom_variables\` and \`template_variables\` (assumed). These have no rows of their own.

## Rules of the service's guides

Some rules stand in the service's guide pages and not in its specification. Each has the grade of its evidence: _stated_ in
the guides, _recorded_ in a published exchange, _specified_, or _inferred_ from one of these.

| Rule | Grade | The emulator |
| --- | --- | --- |
| a soft bounce and a suspension leave an email \`enqueued\`: up to ten more attempts follow | stated | makes no further attempt by itself; \`delayed@…\` is delivered after a soft bounce |
| a bounce and a rejection, also of a suppressed recipient, make an email \`not_delivered\` | stated | does so |
| an unsubscription or a spam complaint after the delivery makes an email \`opted_out\` | stated | does so; the filter finds it |
| a bounce after a delivery makes an email \`not_delivered\` | inferred | does so: \`late-bounce@…\` |
| in statistics, an email with a \`delivery\` counts as delivered, and a soft bounce is no bounce | stated | does so |
| a rejection says \`Recipient in suppression list. Reason: unsubscription\` | stated; of other types inferred | has the type of the suppression there |
| a bounce has one of seventeen categories | stated | has \`badrecipient\` for a bounce and \`overquota\` for a soft one |
| a suppression has the name of the category: \`Bad recipient\` | recorded | does so |
| an inbox at an own domain is a catch-all, \`*@domain\`, and receives email to every name there | stated | does so; of several at one domain, each receives it |
| a domain that receives email has \`inbound_enabled\` and an MX record | stated; the fields of the record inferred | lists the record while \`inbound_enabled\` is true, and receives nothing otherwise |
| a catch-all forwards from the address at which a message arrived, and never to itself | inferred | does so |
| the address of a hosted inbox has the inbox's name | stated | does so: \`support-tickets-1a2b3c4d@…\` |
| the header with the signature of a webhook's post has a name | stated | has another name by default: set \`webhooks.signatureHeader\` |
| \`{{name}}\` escapes \`&\`, \`<\`, \`>\`, \`"\` and \`'\` | stated; the entity of \`'\` inferred | does so, and writes \`&#x27;\` |
| \`{{name}}\` escapes in the plain text, too | inferred: one engine, which escapes in the subject | does so |
| a body of a template that is set cannot be cleared, only replaced | stated | keeps it, also with \`null\` and an empty text |
| \`null\` or its absence keeps a body of a campaign | specified | does so; an empty text clears it, of which nothing is said |
| a null in a list of ids is dropped | inferred: a program of the service sends \`[null]\`, and its framework drops it | drops it from lists of contact lists and segments |
| a refused action of a campaign says \`Cannot transition from 'started' to 'scheduled'\`; one without an HTML body, \`Campaign design can't be blank\` | stated; of other states inferred | has these words |

## Undecided

Published sources contradict each other here. The emulator had to choose; your code should not depend on it.

| Question | One side | The other | The emulator |
| --- | --- | --- | --- |
| May an email have the headers \`Return-Path\`, \`Date\` or \`Sender\`? | reserved headers are not allowed: the reference | two published mail transports pass them on | refuses them with 400 |
| Does the service complete own headers for one click on bulk mail? | it adds both headers: a guide | an own \`List-Unsubscribe\` stays as it is: a guide | adds none to an email with its own |
| How much does an unsubscription stop? | all email of the sending domain: a guide | one stream: recorded suppressions have a stream | stops one stream |
| Is \`emails_per_hour\` limited? | to 150 000: a guide | the specification has no limit | has none |
| Is there a contact field of type \`number\`? | two published clients have it | the reference and others have \`integer\` and \`float\` | refuses it |

| May \`text\`, \`html\` or \`category\` of an email be empty? | at least one character in \`text\` and \`html\`: the reference | two published programs send \`""\` for what is left out | takes it as missing; both bodies empty is a 400 |
| Does a bulk email without the placeholder get a footer? | yes: a guide | the recorded one is of a domain with \`auto_unsubscribe_link_enabled\` | adds it with that setting only |

## Templates

Rendered as Handlebars 4.7 does, by its own parser: values, paths, blocks, \`{{else if}}\`, names of a block such as
\`as |item|\`, \`@index\` and the like, \`@root\`, \`{{~name~}}\`, comments, sections such as \`{{#object}}\`. There are two exceptions, as
published: in \`{{#if}}\` and \`{{#unless}}\`, also an empty object is false; and \`{{name}}\` escapes five characters, where Handlebars also
escapes \`=\` and the backtick. Helpers and partials, \`{{lookup}}\` among them, render
nothing; a template that is not valid Handlebars is refused with 400 when an email is sent with it. Whether the service
does the same is not published, nor which implementation it has. One difference to Handlebars 4.7 is in the newer parser:
spaces before the closing tag of a chain of \`{{else if}}\` on a line of its own go.

There is a lead: the service's list of false values, and its five escaped characters, are nearly word by word those of
raymond, an implementation in Go. Nothing here is built on it. If the lead is right, these templates render differently:

| Template | The emulator | raymond |
| --- | --- | --- |
| \`'\` in a value | \`&#x27;\` | \`&apos;\` |
| \`{{#with a}}\` of 0 or of an empty object | the block | the \`{{else}}\` |
| a name within \`{{#each}}\` or \`{{#with}}\` that only the outer context has | empty, and in \`missing\` | found there |
| \`{{lookup o "a"}}\`, \`{{#equal a "x"}}\` | nothing | works |
| a block of an unknown helper, with \`{{else}}\` | nothing | the \`{{else}}\` |
| a list, an object, \`list.length\` | \`x,y\`, \`[object Object]\`, \`2\` | \`xy\`, \`map[…]\`, nothing |
| \`{{> partial}}\` | nothing | an error |

## Unsubscribe links

On both streams the emulator replaces \`__unsubscribe_url__\` by a link of each recipient's own, as the service's
documentation says. On the bulk stream it also adds \`List-Unsubscribe\` and \`List-Unsubscribe-Post\`. If the domain has
\`auto_unsubscribe_link_enabled\`, an email without the placeholder gets a footer with the link, worded as recorded. The
link leads to a page of the emulator, which unsubscribes the recipient.

## Options

${options.join('\n')}`;
  const { code: formatted } = await format('page.md', page);
  await expect(formatted).toMatchFileSnapshot('../../../docs/trust/fidelity.md');
});
