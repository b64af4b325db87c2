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
import { asked } from '../../spec/quotes/quote.ts';
import { surface, type SurfaceRow } from '../../spec/surface.ts';
import type { Claim } from './claims/claim.ts';
import { CHOSEN, LINKS } from './claims/effects.ts';
import { RULES } from './claims/rules.ts';
import { ANSWERS, BOTH_FORMS, CLIENTS, POOLS_OF_THE_REFERENCE, WITHOUT_SOURCE } from './claims/sources.ts';
import { LEAD, TEMPLATES } from './claims/templates.ts';
import { UNDECIDED } from './claims/undecided.ts';

const CLAIMS = [
  ...[WITHOUT_SOURCE, BOTH_FORMS, ANSWERS, POOLS_OF_THE_REFERENCE, CLIENTS, RULES, UNDECIDED],
  ...[TEMPLATES, LEAD, LINKS, CHOSEN],
].flat();

const deliver = () => Promise.resolve(new Response());
const surroundings = {
  faults: new FaultQueue(),
  handlers: new EndpointHandlers(),
  log: new RequestLog(new Recorder()),
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

const rowsOfClaims = (all: readonly Claim[]) => all.map(({ text }) => text).join('\n');

/** The sentences of claims, in lines of at most 120 characters. */
const paragraphOf = (all: readonly Claim[]) =>
  all
    .flatMap(({ text }) => text.match(/(?:`[^`]*`|[^\s`])+/g) ?? [])
    .reduce((text, word) => {
      const isFull = text.length - text.lastIndexOf('\n') + word.length > 120;
      return text === '' ? word : `${text}${isFull ? '\n' : ' '}${word}`;
    }, '');

test.each(CLAIMS.map((one) => [one.text.replace(/\s+/g, ' '), one] as const))(
  'docs/trust/fidelity.md is right: %s',
  (_, { prove, options }) => prove(asked(options)),
);

test('two endpoints have no source', () => {
  const routes = areas.flatMap(({ routes: own }) =>
    (own?.(world) ?? []).filter((all) => all.flatMap(rowsOf).length === 0),
  );
  expect(routes.map(([one]) => one?.path)).toEqual([
    '/api/testing_message_parts/{part}/download',
    '/api/permissions',
  ]);
});

test('each effect that the emulator chose is a claim', () => {
  const chosen = areas.flatMap(({ routes }) =>
    (routes?.(world) ?? []).flat().map(({ endpoint }) => endpoint.inferred),
  );
  const effects = new Set(chosen.filter((text) => text?.startsWith('that ')));
  expect([...effects].sort()).toEqual(CHOSEN.map(({ text }) => text).sort());
});

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

<!-- Written by a test from the emulator itself. -->

How it is known what the service does, endpoint by endpoint, and what each option of the emulator is by default, and why.
See also [Testing](../testing.md#fidelity).

## Endpoints

_Specified_: the endpoint is in the service's specification. _Specified in part_: some of its path, its fields or its
response is not; the rest is from the service's public API reference. _Referenced_: it is in the reference alone.
${paragraphOf(WITHOUT_SOURCE)}
_Recorded_ are the statuses of the service's responses that have been recorded: the emulator's have the same fields.
What no source says, the emulator chose; your code should not depend on it.

${sections.join('\n')}
## Where sources differ

${paragraphOf(BOTH_FORMS)}

| | \`'specified'\` (default) | \`'recorded'\` |
| --- | --- | --- |
${ANSWERS.map(({ text }, index) => (index % 2 === 0 ? `| ${text} ` : `| ${text} |\n`)).join('')}
${paragraphOf(POOLS_OF_THE_REFERENCE)}

## Requests of other clients

${paragraphOf(CLIENTS)}

## Rules of the service's guides

Some rules stand in the service's guide pages and not in its specification. Each has the grade of its evidence: _stated_ in
the guides, _recorded_ in a published exchange, _specified_, or _inferred_ from one of these.

| Rule | Grade | The emulator |
| --- | --- | --- |
${rowsOfClaims(RULES)}

## Undecided

Published sources contradict each other here. The emulator had to choose; your code should not depend on it.

| Question | One side | The other | The emulator |
| --- | --- | --- | --- |
${rowsOfClaims(UNDECIDED)}

## Templates

${paragraphOf(TEMPLATES)}

There is a lead: the service's list of false values, and its five escaped characters, are nearly word by word those of
raymond, an implementation in Go. Nothing here is built on it. If the lead is right, these templates render differently:

| Template | The emulator | raymond |
| --- | --- | --- |
${rowsOfClaims(LEAD)}

## Unsubscribe links

${paragraphOf(LINKS)}

## Options

${options.join('\n')}`;
  const { code: formatted } = await format('page.md', page);
  await expect(formatted).toMatchFileSnapshot('../../../docs/trust/fidelity.md');
});
