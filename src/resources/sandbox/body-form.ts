import { late } from '../../kit/late.ts';
import type { Decoder } from '../../core/decoder.ts';
import type { RequestContext } from '../../core/request.ts';
import { optionsWith } from '../../core/request-options.ts';
import { oneOf } from '../../core/rules.ts';
import type { BodyForm, BodyOptions, BodyTypes } from './message-types.ts';

const FORMS = ['text', 'bytes', 'stream'] as const;
const optionsRule = late(() => optionsWith({ as: oneOf(FORMS) }));

/**
 * A body in the form of the call's options, or in the default form; and the check of these options. `absent` is a status
 * besides 404 that means a missing body.
 */
export const inForm = <Form extends BodyForm>(
  { options }: RequestContext,
  usual: BodyForm,
  absent?: number,
) => ({
  optionsRule: optionsRule(),
  decoder: {
    kind: 'body',
    form: (options as BodyOptions<Form>).as ?? usual,
    absent,
  } as Decoder<BodyTypes[Form]>,
});
