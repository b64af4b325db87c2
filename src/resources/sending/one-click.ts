import { InvalidRequestError } from '../../core/errors.ts';
import { urlOf } from '../../core/host-name.ts';

const RULE =
  'must be one absolute https address without user information, white space and angle brackets, such as "https://shop.example.com/unsubscribe?token=…"';

/**
 * The two headers of an email with which mail programs show a button that unsubscribes with one click (RFC 8058):
 * `headers: oneClickUnsubscribe(url)`. The recipient's provider posts to the address, without cookies. So the address has to
 * contain a token that identifies the recipient, and that only you can make. `readOneClick` of `email-platform/webhooks`
 * reads the POST.
 *
 * @param url - The address that receives the click
 * @throws {@link InvalidRequestError} unless it is one absolute https address without user information
 * @example
 * ```ts
 * const email = { from: 'news@mail.example.com', to: 'ann@example.org', subject: 'Spring is here', text: 'Time to sow.' };
 * const headers = oneClickUnsubscribe('https://shop.example.com/unsubscribe?token=7f3a');
 * await client.sending.send({ ...email, headers }, { stream: 'bulk' });
 * ```
 */
export function oneClickUnsubscribe(url: string): {
  /** The address, in angle brackets. */
  readonly 'List-Unsubscribe': string;
  /** The body of the POST. */
  readonly 'List-Unsubscribe-Post': string;
} {
  const address =
    typeof url === 'string' &&
    new RegExp('^https://[^/?#\\s\\p{Cc}<>\\\\][^\\s\\p{Cc}<>\\\\]*$', 'iu').test(url)
      ? urlOf(url)
      : undefined;
  if (address?.username !== '' || address.password !== '')
    throw new InvalidRequestError([{ path: 'url', message: RULE }], { operation: 'oneClickUnsubscribe' });
  return { 'List-Unsubscribe': `<${address.href}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}
