import { EmailPlatform, type EmailPlatformOptions } from 'email-platform';
import { createEmulator, type Emulator } from 'email-platform/testing';
import { endpoints, type Operation } from '../../../src/resources/endpoints.ts';
import { callMethod, rowOf } from './calls.ts';
import { KNOWN, type Known } from './row.ts';
import { TABLE } from './table.ts';

/** Whether a method reads under an account only if the call names it. */
const namesAccount = (operation: string) =>
  endpoints().some((one) => one.operation === operation && one.template.includes('{account?}'));

const isPager = (call: object): call is { readonly toArray: (options: object) => Promise<unknown> } =>
  'toArray' in call;

/**
 * Calls every method of the table against an emulator, in the order of the table, with an account or without. Returns the
 * failures, by method, so that one of them spoils only what depends on it.
 */
export async function tour(
  hasAccount: boolean,
  options: (given: ReturnType<Emulator['clientOptions']>) => EmailPlatformOptions,
): Promise<ReadonlyMap<string, unknown>> {
  const emulator = createEmulator({
    seed: 'demo',
    limits: false,
    accounts: { permissionsPath: 'resources' },
  });
  const { accountId, ...given } = emulator.clientOptions();
  const client = new EmailPlatform({
    ...given,
    ...options(emulator.clientOptions()),
    ...(hasAccount && { accountId }),
  });
  const world = { emulator, client };
  let known: Known = {
    ...KNOWN,
    accountId,
    domain: emulator.domains.list().find(({ verified }) => verified)?.id ?? 0,
    organization: emulator.organizationId,
    ownInbox: given.sandboxInboxId,
  };
  const failures = new Map<string, unknown>();
  for (const operation of Object.keys(TABLE) as Operation[]) {
    const row = rowOf(operation);
    if (row === undefined) continue;
    try {
      known = { ...known, ...(await row.before?.(world, known)) };
      for (const callOptions of namesAccount(operation) ? [{}, { accountId }] : [{}]) {
        const call = callMethod(client, operation, row.args(known), callOptions);
        if (isPager(call)) await call.toArray({ limit: 300 });
        const result = await call;
        known = { ...known, ...row.after?.(result as never) };
      }
      await row.also?.(world, known);
    } catch (error) {
      failures.set(operation, error);
    }
  }
  return failures;
}
