import type { EmulatorAnswers } from './state/account/answers.ts';
import { callable, flag, oneOf, or, positive, textLike } from '../declare/kind.ts';
import { TOKEN } from './state/account/word-rules.ts';
import type { EmulatorSeed } from './routing/area.ts';
import type { AreaSettings } from './state/world.ts';
import { limitsOfPools } from './state/account/limiter.ts';
import { option, type Options } from '../declare/option.ts';
import type { EmulatorOptions } from './emulator-options.ts';
import { isToken } from './state/account/tokens.ts';
import type { EmulatorWindowKind } from './state/account/windows.ts';

type Without = 'limits' | 'token' | 'now';

/** The options that belong to no area. */
export const generalOptions: Options<Omit<EmulatorOptions, keyof AreaSettings>, Without> = {
  seed: option(
    oneOf(['demo', 'empty'] satisfies EmulatorSeed[]),
    'empty',
    'a test says itself what it needs',
  ),
  accountId: option(positive, 1001, 'the same in every test'),
  limits: option(or(limitsOfPools, false), undefined, 'the published limits'),
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
