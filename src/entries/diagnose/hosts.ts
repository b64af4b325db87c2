/** Asks the hosts of sending whether they are the service's, without the token. */
import type { ClientPort } from '../../client/port.ts';
import { ApiError } from '../../core/api-errors.ts';
import { EMULATOR_TOKEN } from '../../core/emulator-token.ts';
import type { HostName } from '../../core/request.ts';
import { environmentVariable } from '../../core/platform.ts';
import { BASE_VARIABLE, hostRemedy } from '../../core/variables.ts';
import { troubleOf, type Trouble } from './connections.ts';
import { failure, type Finding } from './findings.ts';
import { answerText, isPage, isRefusal } from './foreign.ts';

const HOST_OF = { transactional: 'send', bulk: 'bulk', sandbox: 'sandbox' } as const;

/** The refusals of a request without a token, and of one without an email; for 403, see {@link isRefusal}. */
const EXPECTED: readonly number[] = [400, 401, 422, 429];

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Why emails to an address reach no customer; undefined if they may. Plain http elsewhere is for emulators alone. */
function emulatorText(address: string | undefined, takesEmulatorToken: boolean): string | undefined {
  if (address === undefined) return undefined;
  const { hostname, protocol } = new URL(address);
  if (LOOPBACK.test(hostname)) return `this machine (${address}), like an emulator`;
  if (takesEmulatorToken) return `an emulator (${address}), by its token (${EMULATOR_TOKEN}…)`;
  return protocol === 'http:' ? `reached by plain http (${address}), like an emulator` : undefined;
}

/** The path of the API in an address, which the client adds itself: `/api/send`. */
function apiPathOf(address: string): string | undefined {
  const { pathname } = new URL(address);
  const at = `${pathname}/`.indexOf('/api/');
  return at === -1 ? undefined : pathname.slice(at);
}

/** Whether an address has a path that neither the service nor an emulator has. A request without a token cannot test it. */
const hasOtherPath = (host: HostName, address: string) =>
  !['/', `/${host}`].includes(new URL(address).pathname);

/** An address as it was set, and how to set it: to that of the base variable, the client adds a path for each host. */
function asSet(host: HostName, address: string): readonly [address: string, remedy: string] {
  const base = environmentVariable(BASE_VARIABLE)?.replace(/\/+$/, '');
  return base !== undefined && address === `${base}/${host === 'api' ? 'account' : host}`
    ? [base, `set ${BASE_VARIABLE}`]
    : [address, hostRemedy(host)];
}

/** The remedy for an address that is not the service's. */
export function addressRemedy(host: HostName, address: string): string {
  const [set, remedy] = asSet(host, address);
  const path = apiPathOf(set);
  const todo = path === undefined ? 'check' : `leave ${path}, which the client adds, out of`;
  return `${todo} the address ${set}: ${remedy}`;
}

/** The trouble of a connection, with the host that was asked, and a remedy that names its setting. */
export function connectionTrouble(error: unknown, host: HostName, address: string): Trouble {
  const { text, remedy, isAddress } = troubleOf(error);
  const { host: asked } = new URL(address);
  return {
    text: `${text} (${asked})`,
    remedy: isAddress === true ? `${remedy}; ${addressRemedy(host, address)}` : remedy,
    isCut: true,
  };
}

/** The trouble of a response that the service would not send; undefined if it is the service's. */
function answerTrouble(error: ApiError, host: HostName, address: string, path: string): Trouble | undefined {
  const { status } = error;
  if (isRefusal(error) || (EXPECTED.includes(status) && !isPage(error))) return undefined;
  const text = `${answerText(error)} at ${address}${path}`;
  const isDown = status >= 500 && status !== 501 && !isPage(error);
  if (isDown) return { text, remedy: 'try again later, and look at the service’s status page' };
  return { text: `${text}, unlike the service`, remedy: addressRemedy(host, address) };
}

/** Posts nothing, without a token: the service refuses it, and no email can come of it. */
async function hostTrouble(
  port: ClientPort,
  host: HostName,
  address: string,
  signal?: AbortSignal,
): Promise<Trouble | undefined> {
  const [set] = asSet(host, address);
  if (apiPathOf(set) !== undefined)
    return { text: `the address has a path of the API (${set})`, remedy: addressRemedy(host, address) };
  if (address === port.hosts.api)
    return { text: `it has the address of the host api (${address})`, remedy: addressRemedy(host, address) };
  const path = host === 'sandbox' ? `/api/send/${port.sandboxInboxId ?? 1}` : '/api/send';
  try {
    await port.execute(
      {
        operation: 'diagnose',
        method: 'POST',
        host,
        path: '(host)',
        signed: { url: `${address}${path}`, maybeApiPath: false },
        reaches: () => false,
        decoder: { kind: 'body', form: 'text' },
      },
      { retry: false, timeoutMs: 10_000, signal },
    );
    return {
      text: `took a request without a token at ${address}${path}, unlike the service`,
      remedy: addressRemedy(host, address),
    };
  } catch (error) {
    if (error instanceof ApiError) return answerTrouble(error, host, address, path);
    return connectionTrouble(error, host, address);
  }
}

/** The findings about the hosts of sending, and whether the host of the stream is an emulator's. */
export async function hostFindings(
  port: ClientPort,
  { isApiThere, isTokenGood }: { readonly isApiThere: boolean; readonly isTokenGood: boolean },
  signal?: AbortSignal,
): Promise<{ readonly findings: readonly Finding[]; readonly isEmulator: boolean; readonly isCut: boolean }> {
  const needed = HOST_OF[port.stream];
  const names = ['send', 'bulk', 'sandbox'] as const;
  const results = await Promise.all(
    names.map(async (name) => {
      const address = port.hosts[name];
      if (address === undefined) return { name, trouble: undefined, isMissing: true };
      return { name, trouble: await hostTrouble(port, name, address, signal), isMissing: false };
    }),
  );
  const answering = results
    .filter(({ trouble, isMissing }) => !trouble && !isMissing)
    .map(({ name }) => name);
  const unproven = answering.filter((name) => hasOtherPath(name, port.hosts[name] ?? ''));
  const good = [...(isApiThere ? ['api'] : []), ...answering];
  const level = (name: string) => (name === needed ? 'failure' : 'warning');
  const address = port.hosts[needed];
  const emulator = emulatorText(address, isTokenGood && port.hasEmulatorToken);
  const findings = [
    ...(good.length > 0 ? [{ topic: 'hosts', level: 'ok', text: `${good.join(', ')} answer` } as const] : []),
    ...results.flatMap(({ name, trouble, isMissing }): Finding[] => {
      if (trouble)
        return [
          {
            topic: 'hosts',
            level: level(name),
            text: `${name}: ${trouble.text}`,
            remedy: trouble.remedy,
          },
        ];
      if (!isMissing || name !== needed) return [];
      return [failure('hosts', `${name}: there is no address`, hostRemedy(name))];
    }),
    ...unproven.map((name): Finding => ({
      topic: 'hosts',
      level: 'warning',
      text: `${name}: the path of ${port.hosts[name]} is not checked`,
      remedy: 'a test email shows whether it is right (--send)',
    })),
    ...(emulator === undefined
      ? []
      : [
          {
            topic: 'hosts',
            level: 'warning',
            text: `${needed} is ${emulator}: no customer gets its emails`,
            remedy: `for production: ${hostRemedy(needed)} to the service’s`,
          } as const,
        ]),
  ];
  return {
    findings,
    isEmulator: emulator !== undefined,
    isCut: results.some(({ trouble }) => trouble?.isCut === true),
  };
}
