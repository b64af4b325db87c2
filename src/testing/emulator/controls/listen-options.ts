import type { EmulatorHosts } from '../../service/wire/hosts.ts';
import { isHost } from '../../common/allowed-hosts.ts';
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
  },
});

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
