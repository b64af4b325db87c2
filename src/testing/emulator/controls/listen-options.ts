import type { EmulatorHosts } from '../../service/wire/hosts.ts';
import { isHost, isListenAddress, isLoopbackAddress } from '../../common/allowed-hosts.ts';
import { isHeaderName, isOrigin, type EmulatorCors } from '../../common/cors.ts';
import type { EmulatorControlOptions, EmulatorListenOptions } from './listen-types.ts';
import { arrayOf, objectOf, plainObject, problemIn, textLike, whole, type Kind } from '../../declare/kind.ts';
import { CONTROL_TOKEN, HOST, isControlToken, ORIGIN } from '../../service/state/account/word-rules.ts';

const controlOptions = objectOf<EmulatorControlOptions>({
  token: { ...textLike(CONTROL_TOKEN, isControlToken), isSecret: true },
});

/** The options of `emulator.listen`. */
export const listenOptions = objectOf<EmulatorListenOptions>({
  port: whole(0, 65_535),
  allowedHosts: arrayOf('host names', textLike(HOST, isHost)),
  host: textLike('an address of this machine, such as 0.0.0.0', isListenAddress),
  cors: objectOf<EmulatorCors>(
    {
      origins: arrayOf('origins', textLike(ORIGIN, isOrigin)),
      expose: arrayOf('header names', textLike('the name of a header', isHeaderName)),
    },
    ['origins'],
  ),
  control: {
    what: 'true, false or an object with token',
    hasType: (value) => typeof value === 'boolean' || plainObject.hasType(value),
    problemWithin: (value, name) =>
      typeof value === 'boolean' ? undefined : problemIn(controlOptions, value, name),
    form: { type: 'any of', kinds: [controlOptions] },
  },
});

/** Throws if other machines could reach a server that does not say how they are told apart. */
export function checkOpen(
  host: string,
  token: string | undefined,
  { allowedHosts = [], control = false }: EmulatorListenOptions,
): void {
  if (isLoopbackAddress(host)) return;
  const needs = (missing: string) =>
    new TypeError(`\`options.host\` lets other machines in, and needs ${missing}`);
  if (token === undefined) throw needs('a `token` of your own in createEmulator');
  if (allowedHosts.length === 0) throw needs('`allowedHosts`: the names by which they reach this one');
  if (control === true || (control !== false && control.token === undefined))
    throw needs('a `token` of your own in `control`');
}

/** The argument `emulator` of `handlers`. */
export const emulatorKind: Kind = {
  what: 'an emulator',
  hasType: (value) =>
    typeof value === 'object' && value !== null && 'handle' in value && 'clientOptions' in value,
};

const base = textLike('a URL that begins with http:, https: or /', (url) => /^(?:https?:\/\/|\/)/i.test(url));

/** The options of `handlers`. */
export const handlerOptions = objectOf<{ hosts: Partial<EmulatorHosts> }>({
  hosts: objectOf<EmulatorHosts>({ api: base, send: base, bulk: base, sandbox: base }),
});
