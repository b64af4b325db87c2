/** Every state of a template, and the three commands: the table in the guide is compared with what they do. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EmailPlatform } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { cli } from '../../cli/in-process.ts';
import { accountOf } from './account.ts';
import { templatesIn, type Files } from './folders.ts';

const NOTE = {
  json: { name: 'Note', subject: 'A note', category: 'notes' },
  html: '<p>{{text}}</p>',
  text: '{{text}}',
} satisfies Files;
const HOSTED = { ...NOTE.json, body_html: NOTE.html, body_text: NOTE.text };
const ELSEWHERE = '3f5d8f0a-6f0b-4d0e-9d52-1f7f6a0a9c11';

/** A folder beside an account. */
class World {
  readonly folder = templatesIn({ note: NOTE });
  readonly account: ReturnType<typeof accountOf>;
  readonly client: EmailPlatform;

  constructor(accountId: number) {
    this.account = accountOf({ accountId });
    this.client = this.account.client;
  }

  run = async (command: string, args: readonly string[] = []) => {
    const surroundings = { client: () => this.client, ended: new Promise(() => undefined) };
    const done = await cli(['templates', command, this.folder, ...args], surroundings);
    const text = (printed: string) => printed.replaceAll(`${this.folder}/`, 'emails/');
    return { ...done, out: text(done.out), err: text(done.err) };
  };
  write = (file: string, text: string): string => {
    mkdirSync(join(this.folder, file, '..'), { recursive: true });
    writeFileSync(join(this.folder, file), text);
    return file;
  };
  remove = (path: string): string => {
    rmSync(join(this.folder, path), { recursive: true });
    return path;
  };
  push = () => this.run('push');
  create = (more: object = {}) => this.client.templates.create({ ...HOSTED, ...more });
  update = (fields: object) => this.client.templates.update(41_001, fields);
  delete = async (): Promise<number> => {
    await this.client.templates.delete(41_001);
    return 41_001;
  };
  lock = (lock: unknown): string => this.write('templates.lock.json', JSON.stringify(lock));
  /** The lock of a push whose response was lost. */
  interrupted = async (): Promise<string> => {
    await this.push();
    const {
      id: _,
      uuid: _1,
      ...entry
    } = (
      JSON.parse(readFileSync(join(this.folder, 'templates.lock.json'), 'utf8')) as {
        2001: { note: { id: number; uuid: string } };
      }
    )['2001'].note;
    return this.lock({ 2001: { note: { ...entry, createdAfter: 0 } } });
  };
  elsewhere = () => this.lock({ 3001: { note: { id: 1, uuid: ELSEWHERE, parts: {} } } });
}

interface State {
  readonly files: string;
  readonly service: string;
  readonly lock: string;
  /** The options of plan and push, and those of pull. */
  readonly push?: string;
  readonly pull?: string;
  readonly accountId?: number;
  readonly make: (world: World) => unknown;
}

const YES = 'has it';
const STATES: readonly State[] = [
  { files: 'new', service: '–', lock: '–', make: () => undefined },
  {
    files: 'new, `{{#if}}` not closed',
    service: '–',
    lock: '–',
    make: ({ write }) => write('note/body.html', '<p>\n{{#if text}}</p>'),
  },
  {
    files: 'new, no body',
    service: '–',
    lock: '–',
    make: ({ remove }) => [remove('note/body.html'), remove('note/body.txt')],
  },
  {
    files: 'new, `body.htm`',
    service: '–',
    lock: '–',
    make: ({ write, remove }) => [write('note/body.htm', '{{text}}'), remove('note/body.html')],
  },
  {
    files: 'new, example does not fit',
    service: '–',
    lock: '–',
    make: ({ write }) => write('note/example.json', '{ "text": "x", "txet": "y" }'),
  },
  {
    files: 'new, merge conflict',
    service: '–',
    lock: '–',
    make: ({ write }) => write('note/body.txt', '<<<<<<< HEAD\n{{text}}\n=======\nx\n>>>>>>> other\n'),
  },
  {
    files: 'unchanged',
    service: 'same name, same content',
    lock: '–',
    make: ({ create }) => create(),
  },
  {
    files: 'unchanged',
    service: 'same name, other content',
    lock: '–',
    make: ({ create }) => create({ subject: 'Other' }),
  },
  {
    files: 'unchanged',
    service: 'two of its name',
    lock: '–',
    make: async ({ create }) => [await create({ subject: 'One' }), await create({ subject: 'Two' })],
  },
  { files: 'unchanged', service: 'unchanged', lock: YES, make: ({ push }) => push() },
  {
    files: 'text changed',
    service: 'unchanged',
    lock: YES,
    make: async ({ push, write }) => [await push(), write('note/body.txt', 'ours {{text}}')],
  },
  {
    files: 'text changed, cannot be rendered',
    service: 'unchanged',
    lock: YES,
    make: async ({ push, write }) => [await push(), write('note/body.txt', '{{formatDate text}}')],
  },
  {
    files: 'unchanged',
    service: 'text changed',
    lock: YES,
    make: async ({ push, update }) => [await push(), await update({ body_text: 'theirs {{text}}' })],
  },
  {
    files: 'subject changed',
    service: 'text changed',
    lock: YES,
    make: async ({ push, update, write }) => [
      await push(),
      await update({ body_text: 'theirs {{text}}' }),
      write('note/template.json', JSON.stringify({ ...NOTE.json, subject: 'Ours' })),
    ],
  },
  {
    files: 'text changed',
    service: 'text changed',
    lock: YES,
    make: async ({ push, update, write }) => [
      await push(),
      await update({ body_text: 'theirs {{text}}' }),
      write('note/body.txt', 'ours {{text}}'),
    ],
  },
  {
    files: 'text changed',
    service: 'text changed',
    lock: YES,
    push: '--overwrite note',
    pull: '--overwrite note',
    make: async ({ push, update, write }) => [
      await push(),
      await update({ body_text: 'theirs {{text}}' }),
      write('note/body.txt', 'ours {{text}}'),
    ],
  },
  {
    files: 'text changed',
    service: 'the same change',
    lock: YES,
    make: async ({ push, update, write }) => [
      await push(),
      await update({ body_text: 'new {{text}}' }),
      write('note/body.txt', 'new {{text}}'),
    ],
  },
  {
    files: '`body.txt` removed',
    service: 'unchanged',
    lock: YES,
    make: async ({ push, remove }) => [await push(), remove('note/body.txt')],
  },
  {
    files: '`body.txt` removed, subject changed',
    service: 'unchanged',
    lock: YES,
    make: async ({ push, remove, write }) => [
      await push(),
      remove('note/body.txt'),
      write('note/template.json', JSON.stringify({ ...NOTE.json, subject: 'Ours' })),
    ],
  },
  {
    files: 'folder deleted',
    service: 'unchanged',
    lock: YES,
    make: async ({ push, remove }) => [await push(), remove('note')],
  },
  {
    files: 'folder deleted',
    service: 'unchanged',
    lock: YES,
    push: '--delete note',
    make: async ({ push, remove }) => [await push(), remove('note')],
  },
  {
    files: 'folder deleted',
    service: 'text changed',
    lock: YES,
    push: '--delete note',
    make: async ({ push, remove, update }) => [
      await push(),
      remove('note'),
      await update({ body_text: 'theirs {{text}}' }),
    ],
  },
  {
    files: 'unchanged',
    service: 'deleted',
    lock: YES,
    make: async (world) => [await world.push(), await world.delete()],
  },
  {
    files: 'unchanged',
    service: 'deleted',
    lock: YES,
    push: '--overwrite note',
    pull: '--delete note',
    make: async (world) => [await world.push(), await world.delete()],
  },
  {
    files: 'folder deleted',
    service: 'deleted',
    lock: YES,
    make: async (world) => [await world.push(), await world.delete(), world.remove('note')],
  },
  {
    files: '–',
    service: 'new',
    lock: '–',
    make: async ({ create, remove }) => [await create({ name: 'Offer' }), remove('note')],
  },
  {
    files: '–',
    service: 'new, but `ignore` names it',
    lock: '–',
    make: async ({ create, remove, write }) => [
      await create({ name: 'Offer' }),
      remove('note'),
      write('templates.config.json', '{ "ignore": ["Off*"] }'),
    ],
  },
  {
    files: 'unchanged',
    service: 'a second one of its name, as after two pushes at once',
    lock: YES,
    make: async ({ push, create }) => [await push(), await create()],
  },
  {
    files: 'unchanged',
    service: 'unchanged',
    lock: 'creation without a response',
    make: ({ interrupted }) => interrupted(),
  },
  {
    files: 'unchanged',
    service: 'two of its content',
    lock: 'creation without a response',
    make: async ({ interrupted, create }) => [await interrupted(), await create()],
  },
  {
    files: 'unchanged',
    service: '–',
    lock: 'creation without a response',
    make: async (world) => [await world.interrupted(), await world.delete()],
  },
  {
    files: 'unchanged',
    service: '–',
    lock: 'of another account',
    make: ({ elsewhere }) => elsewhere(),
  },
  {
    files: 'unchanged',
    service: 'same name, same content',
    lock: 'of another account',
    make: async ({ elsewhere, create }) => [elsewhere(), await create()],
  },
  {
    files: 'unchanged',
    service: 'same name, other content',
    lock: 'of another account',
    make: async ({ elsewhere, create }) => [elsewhere(), await create({ subject: 'Other' })],
  },
  {
    files: 'unchanged',
    service: 'pulled once, other content',
    lock: 'without a state of the subject',
    make: async ({ create, run }) => [await create({ subject: 'Other' }), await run('pull')],
  },
  {
    files: '–',
    service: 'new, in the usual account of emulators',
    lock: '–',
    accountId: 1001,
    make: async ({ create, remove }) => [await create({ name: 'Offer' }), remove('note')],
  },
  {
    files: 'unchanged',
    service: 'unchanged',
    lock: 'merge conflict',
    make: async ({ push, folder, write }) => {
      await push();
      const text = readFileSync(join(folder, 'templates.lock.json'), 'utf8');
      write('templates.lock.json', `<<<<<<< HEAD\n${text}=======\n{}\n>>>>>>> other\n`);
    },
  },
];

const argsOf = (options = '') => options.split(' ').filter((arg) => arg !== '');

async function worldOf({ accountId = 2001, make }: State): Promise<World> {
  const world = new World(accountId);
  await make(world);
  return world;
}

/** The lines that a command prints, without its account and its advice about all templates. */
const linesOf = ({ out, err }: { readonly out: string; readonly err: string }) =>
  `${out}${err}`
    .split('\n')
    .filter(
      (line) => !/^(Account|Nothing|\d+ templates? with !|Generate|New UUIDs|The lock has no|$)/.test(line),
    );

/** What a push or a pull did, by the marks that it prints. */
const DONE: Readonly<Record<'push' | 'pull', Readonly<Record<string, string>>>> = {
  push: {
    '+': 'creates it',
    '=': 'finds it, and writes the lock',
    '~': 'changes it',
    '-': 'deletes it',
    '!': 'stops',
  },
  pull: {
    '+': 'writes the folder',
    '=': 'takes it over',
    '~': 'writes the files',
    '-': 'deletes the folder',
    '!': 'leaves it',
  },
};
async function done(world: World, state: State, command: 'push' | 'pull'): Promise<string> {
  const printed = await world.run(command, argsOf(state[command]));
  const lines = linesOf(printed);
  if (printed.err.includes('templates.lock.json:')) return 'stops';
  if (/^The lock has no line/m.test(printed.out)) return 'writes the folder, and not the lock';
  const marks = lines.map((line) => (/^[+=~-] /.test(line) ? line.charAt(0) : '!'));
  const words = [...new Set(marks)].map((mark) => DONE[command][mark]);
  return words.length === 0 ? '–' : words.join('; ');
}

const withOption = (text: string, option: string | undefined) =>
  option === undefined ? text : `\`${option}\`: ${text}`;

/** The cells of a state's row. */
async function rowOf(state: State): Promise<string[]> {
  const { files, service, lock, push, pull } = state;
  // A plan changes nothing: the push begins where it would without one.
  const planned = await worldOf(state);
  const plan = linesOf(await planned.run('plan', argsOf(push)));
  return [
    files,
    service,
    lock,
    withOption(
      plan.length === 0 ? '–' : plan.map((line) => `\`${line.replaceAll('`', "'")}\``).join(' '),
      push,
    ),
    withOption(await done(planned, state, 'push'), push),
    withOption(await done(await worldOf(state), state, 'pull'), pull),
  ];
}

/** The rows of the page's table, without the padding of its columns. */
function rowsOfPage(): string[][] {
  const lines = readFileSync('docs/trust/template-states.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
}

describe('every state of a template', () => {
  test('has the line of plan, and the effect of push and pull, that the page says', async () => {
    const rows: string[][] = [];
    for (const state of STATES) rows.push(await rowOf(state));
    expect(rowsOfPage()).toEqual(rows);
    expect(rows.length).toBeGreaterThanOrEqual(20);
  });

  test('each command that plan advises changes the state', async () => {
    let advised = 0;
    for (const state of STATES) {
      const plan = async (world: World) => linesOf(await world.run('plan')).join('\n');
      const planned = await worldOf(state);
      const before = await plan(planned);
      const commands = [...before.matchAll(/(?<!interrupted )\b(push|pull)(?!\w)((?: --\w+ note)*)/g)];
      for (const [index, [text, command = '', options]] of commands.entries()) {
        const world = index === 0 ? planned : await worldOf(state);
        // Either side of a conflict will do.
        if (state.lock === 'merge conflict') world.lock({});
        await world.run(command, argsOf(options));
        expect(await plan(world), `${text} of: ${before}`).not.toBe(before);
        advised += 1;
      }
    }
    expect(advised).toBeGreaterThan(20);
  });
});
