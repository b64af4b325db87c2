import { late } from '../../kit/late.ts';
import type { Decoder } from '../../core/decoder.ts';
import { optionsWith } from '../../core/request-options.ts';
import { isolatedIfPlain } from '../../core/isolated.ts';
import { oneOf } from '../../core/rules.ts';
import { tried } from '../../core/tried.ts';
import type { BodyForm, BodyOptions, BodyTypes } from './message-types.ts';

const FORMS = ['text', 'bytes', 'stream'] as const;
const optionsRule = late(() => optionsWith({ as: oneOf(FORMS) }));

/**
 * A body in the form of the options, or in the default form; and the check of these options. `absent` is a status
 * besides 404 that means a missing body.
 */
export const inForm = <Form extends BodyForm>(
  options: BodyOptions<Form> | undefined,
  usual: BodyForm,
  absent?: number,
) => ({
  optionsRule: optionsRule(),
  decoder: {
    kind: 'body',
    form: tried(() => isolatedIfPlain(options)?.as) ?? usual,
    absent,
  } as Decoder<BodyTypes[Form]>,
});
