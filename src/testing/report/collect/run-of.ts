/** The identity of a run: which program, commit and branch a report is of. */
import type { ReportRun } from '../data/data.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The variables in which the services for CI name the repository, the commit and the branch. */
export const CI_VARIABLES = [
  ['GitHub Actions', 'GITHUB_REPOSITORY', 'GITHUB_SHA', 'GITHUB_HEAD_REF', 'GITHUB_REF_NAME'],
  ['GitLab', 'CI_PROJECT_PATH', 'CI_COMMIT_SHA', 'CI_COMMIT_REF_NAME'],
  ['CircleCI', 'CIRCLE_PROJECT_REPONAME', 'CIRCLE_SHA1', 'CIRCLE_BRANCH'],
  ['Buildkite', 'BUILDKITE_PIPELINE_SLUG', 'BUILDKITE_COMMIT', 'BUILDKITE_BRANCH'],
  ['Bitbucket', 'BITBUCKET_REPO_FULL_NAME', 'BITBUCKET_COMMIT', 'BITBUCKET_BRANCH'],
  ['Azure Pipelines', 'BUILD_REPOSITORY_NAME', 'BUILD_SOURCEVERSION', 'BUILD_SOURCEBRANCHNAME'],
  ['Jenkins', 'JOB_NAME', 'GIT_COMMIT', 'GIT_BRANCH'],
] as const;

const variables = (): Variables =>
  (globalThis as { readonly process?: { readonly env?: Variables } }).process?.env ?? {};

/** The program that runs the emulator: its run in CI, or its package, as npm names it to the programs that it starts. */
export const runningProgram = (env: Variables = variables()): ReportRun => {
  const name = env.npm_package_name ?? '';
  return { ...(name !== '' && { title: name }), ...runOf(undefined, env) };
};

/** The run, as the environment of CI names it; nothing outside of it. */
export function runOf(title?: string, env: Variables = variables()): ReportRun {
  const row = CI_VARIABLES.find(([, , commit]) => (env[commit] ?? '') !== '');
  const [, repository = '', commit = '', ...branches] = row ?? [];
  const branch = branches.map((name) => env[name] ?? '').find((value) => value !== '');
  const named = title ?? env[repository];
  return {
    ...(named !== undefined && named !== '' && { title: named }),
    ...(row !== undefined && { commit: env[commit] }),
    ...(branch !== undefined && { branch }),
  } as ReportRun;
}
