import type { EmulatorAnswers } from './answers.ts';
import { callable, flag, objectOf, oneOf, or, positive, textLike } from './checks/kind.ts';
import { TOKEN } from './arguments/rules.ts';
import type { EmulatorSeed } from './areas/area.ts';
import type { AreaSettings } from './areas/world.ts';
import { limit, type EmulatorLimits } from './limiter.ts';
import { option, type Options } from './option.ts';
import type { EmulatorOptions } from './options.ts';
import { isToken } from './tokens.ts';
import type { EmulatorWindowKind } from './windows.ts';

const orOff = or(limit, false);

type Without = 'limits' | 'token' | 'now';

/** The options that belong to no area. */
export const generalOptions: Options<Omit<EmulatorOptions, keyof AreaSettings>, Without> = {
  seed: option(
    oneOf(['demo', 'empty'] satisfies EmulatorSeed[]),
    'empty',
    'a test says itself what it needs',
  ),
  accountId: option(positive, 1001, 'the same in every test'),
  limits: option(
    or(
      objectOf<EmulatorLimits>({
        token: orOff,
        contacts: orOff,
        stats: orOff,
        suppressions: orOff,
        emailLogsList: orOff,
        emailLogsGet: orOff,
        templatesList: orOff,
        templatesCreate: orOff,
      }),
      false,
    ),
    undefined,
    'the published limits',
  ),
  window: option(
    oneOf(['aligned', 'fixed', 'sliding'] satisfies EmulatorWindowKind[]),
    'aligned',
    'recorded',
  ),
  countSending: option(flag, true, 'specified: the limit is of all endpoints'),
  answers: option(
    oneOf(['specified', 'recorded'] satisfies EmulatorAnswers[]),
    'specified',
    'the specification wins where sources differ',
  ),
  details: option(flag, false, 'bodies are kept on request only'),
  token: option({ ...textLike(TOKEN, isToken), isSecret: true }, undefined, 'the same in every test'),
  now: option(callable, undefined, 'real time'),
};
