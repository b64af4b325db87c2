import { format } from 'prettier';
import { expect, test } from 'vitest';
import { areas } from '../../src/testing/areas/all.ts';
import type { Arrival } from '../../src/testing/areas/sending/outbox.ts';
import { Arrivals } from '../../src/testing/arrivals.ts';
import { EndpointHandlers } from '../../src/testing/endpoint-handlers.ts';
import { FaultQueue } from '../../src/testing/faults.ts';
import { Recorder } from '../../src/testing/report/recorder.ts';
import { RequestLog } from '../../src/testing/request-log.ts';
import type { Route } from '../../src/testing/route.ts';
import { buildService } from '../../src/testing/world.ts';
import { groups, plainText, words } from './option-words.ts';
import { surface, type SurfaceRow } from '../spec/surface.ts';

const deliver = () => Promise.resolve(new Response());
const surroundings = {
  faults: new FaultQueue(),
  handlers: new EndpointHandlers(),
  log: new RequestLog(),
  recorder: new Recorder(),
  deliver,
  arrivals: new Arrivals<Arrival>(),
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

test('docs/fidelity.md lists every endpoint with its sources, and every option with its default and the reason', async () => {
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

<!-- Written by test/testing/fidelity.test.ts from the emulator itself: npm run test:unit -- test/testing/fidelity.test.ts -u -->

How it is known what the service does, endpoint by endpoint, and what each option of the emulator is by default, and why.
See also [Testing](testing.md#fidelity).

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

A 429 of the pools \`templatesList\` and \`templatesCreate\`, of which the specification says nothing, is always
\`{ "errors": "…" }\`, without a header of the rate limit.

## Requests of other clients

Clients of the service in other languages send some requests that ours does not. The emulator takes them: PUT for every
PATCH that updates a record (stated of templates, assumed of the others), \`is_read\` as text, the wrapper
\`email_template\` at \`/templates\` (stated), and an empty array in place of an empty object in \`fields\`,
\`headers\`, \`custom_variables\` and \`template_variables\` (assumed). These have no rows of their own.

## Templates

Rendered as Handlebars 4.7 does, by its own parser: values, paths, blocks, \`{{else if}}\`, names of a block such as
\`as |item|\`, \`@index\` and the like, \`@root\`, \`{{~name~}}\`, comments, sections such as \`{{#object}}\`. In \`{{#if}}\` and
\`{{#unless}}\`, also an empty object is false, as published. Helpers and partials, \`{{lookup}}\` among them, render
nothing; a template that is not valid Handlebars is refused with 400 when an email is sent with it. Whether the service
does the same is not published, nor which implementation it has. One difference to Handlebars 4.7 is in the newer parser:
spaces before the closing tag of a chain of \`{{else if}}\` on a line of its own go.

An update with \`null\` or an empty text leaves a body that is set as it is: stated of the template of a campaign, and assumed
of the others.

## Unsubscribe links

On the bulk stream the emulator replaces \`__unsubscribe_url__\` by a link of each recipient's own, and adds
\`List-Unsubscribe\` and \`List-Unsubscribe-Post\`, as the service's documentation says. It adds no footer to an email
without the placeholder: that text is not published. The link leads nowhere.

## Options

${options.join('\n')}`;
  const formatted = await format(page, { parser: 'markdown', printWidth: 110, proseWrap: 'preserve' });
  await expect(formatted).toMatchFileSnapshot('../../docs/fidelity.md');
});
