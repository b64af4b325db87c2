/** The client's settings by which an email reaches no customer: its stream, and its rules for recipients. */
import type { ClientPort } from '../../client/port.ts';
import { NotFoundError } from '../../core/api-errors.ts';
import { RecipientRefusedError } from '../../core/errors.ts';
import { environmentVariable } from '../../core/platform.ts';
import { RECIPIENTS_VARIABLE, REDIRECT_VARIABLE, VARIABLES } from '../../core/variables.ts';
import type { DiagnosedClient } from './client.ts';
import type { Finding } from './findings.ts';

/** An address that only a rule for all recipients would name: the domain `.invalid` exists nowhere. */
const CUSTOMER = 'customer@customers.invalid';

/** The decision of the client's guard about an address: undefined if the email goes to it. */
export function guardedTo(
  port: ClientPort,
  email: string,
  stream: ClientPort['stream'],
): { readonly outcome: 'refused' } | { readonly outcome: 'redirected'; readonly to: string } | undefined {
  try {
    const { to } = JSON.parse(port.recipientsSent(JSON.stringify({ to: [{ email }] }), stream)) as {
      readonly to: readonly { email: string }[];
    };
    if (to.some((one) => one.email.toLowerCase() === email.toLowerCase())) return undefined;
    return { outcome: 'redirected', to: to.map((one) => one.email).join(', ') };
  } catch (error) {
    if (!(error instanceof RecipientRefusedError)) throw error;
    return { outcome: 'refused' };
  }
}

/** Whether the token sees the inbox of the sandbox; undefined if that is not known. */
async function seesInbox(client: DiagnosedClient, id: number, signal?: AbortSignal) {
  try {
    await client.sandbox.inboxes.get(id, { retry: false, signal });
    return true;
  } catch (error) {
    return error instanceof NotFoundError ? false : undefined;
  }
}

async function streamFinding(
  client: DiagnosedClient,
  { stream, sandboxInboxId: id }: ClientPort,
  isTokenGood: boolean,
  signal?: AbortSignal,
): Promise<Finding> {
  const isUsed = stream === 'sandbox';
  const isThere = isTokenGood && id !== undefined ? await seesInbox(client, id, signal) : undefined;
  if (isThere === false)
    return {
      topic: 'stream',
      level: isUsed ? 'failure' : 'warning',
      text: `${isUsed ? 'sandbox: ' : `${stream}; the sandbox's `}inbox ${id} is not in the account, or the token has no access to it`,
      remedy: `set ${VARIABLES.sandboxInboxId} to an inbox of the account (client.sandbox.inboxes.list)`,
    };
  if (!isUsed) return { topic: 'stream', level: 'ok', text: stream };
  const variable = environmentVariable(VARIABLES.stream) === stream ? VARIABLES.stream : undefined;
  return {
    topic: 'stream',
    level: 'warning',
    text: `sandbox: every email is captured in inbox ${id}${isThere ? '' : ', which is not checked'}; no customer gets any`,
    remedy: `for production: ${variable === undefined ? 'leave out the option stream' : `unset ${variable}`}`,
  };
}

function recipientsFinding(port: ClientPort): Finding | undefined {
  const guarded = guardedTo(port, CUSTOMER, port.stream);
  if (guarded === undefined) return undefined;
  const isRefused = guarded.outcome === 'refused';
  const variables = [RECIPIENTS_VARIABLE, REDIRECT_VARIABLE].filter(
    (name) => environmentVariable(name) !== undefined,
  );
  return {
    topic: 'guard',
    level: 'warning',
    text: isRefused
      ? 'only some addresses are allowed: email to any customer is refused before it is sent'
      : `email to customers goes to ${guarded.to} instead`,
    remedy: `for production: ${variables.length > 0 ? `unset ${variables.join(' and ')}` : 'leave out the option recipients'}`,
  };
}

/** The findings, and whether the settings let email reach customers. */
export async function settingsFindings(
  client: DiagnosedClient,
  port: ClientPort,
  isTokenGood: boolean,
  signal?: AbortSignal,
): Promise<{ readonly findings: readonly Finding[]; readonly reachCustomers: boolean }> {
  const stream = await streamFinding(client, port, isTokenGood, signal);
  const guard = recipientsFinding(port);
  return {
    findings: guard === undefined ? [stream] : [stream, guard],
    reachCustomers: port.stream !== 'sandbox' && guard === undefined,
  };
}
