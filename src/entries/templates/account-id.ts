import { ConfigurationError } from '../../core/errors.ts';
import { VARIABLES } from '../../core/variables.ts';
import type { TemplatesClient } from './client.ts';

/** The account of a client, or else the only one that its token can see. */
export async function accountOf(client: TemplatesClient, signal?: AbortSignal): Promise<number> {
  return client.accountId ?? onlyAccount(client, signal);
}

/** The only account that the token can see. */
async function onlyAccount(client: TemplatesClient, signal: AbortSignal | undefined): Promise<number> {
  const ids: number[] = [];
  for await (const { id } of client.accounts.list({ signal })) ids.push(id);
  const [id] = ids;
  if (id !== undefined && ids.length === 1) return id;
  const visible = id === undefined ? 'no account' : `the accounts ${ids.join(', ')}`;
  const todo = `pass accountId to the client, or set ${VARIABLES.accountId}`;
  throw new ConfigurationError(`The token can see ${visible}: ${todo}`, { option: 'accountId' });
}
