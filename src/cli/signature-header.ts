/** The name of the header with the signature of a webhook's post, for the commands that post. */
import { isHeaderName } from '../testing/common/cors.ts';
import type { Command } from './command.ts';
import { textThat } from './values.ts';

const OPTION = '--signature-header';
const VARIABLE = 'EMAIL_PLATFORM_WEBHOOK_SIGNATURE_HEADER';
const NAME = 'the name of a header';

/** Declares the option. Returns a function that reads it, or else the variable; undefined if neither is set. */
export function signatureHeaderOf(
  command: Command,
  env: Readonly<Record<string, string | undefined>>,
): () => string | undefined {
  const option = command.takes(
    `${OPTION} <name>`,
    `the header with the signature (default: ${VARIABLE}, or x-webhook-signature); the service's documentation names its header: set it here`,
    textThat(OPTION, isHeaderName, NAME),
  );
  return () => {
    const variable = env[VARIABLE] ?? '';
    const name = option() ?? variable;
    if (name === '') return undefined;
    return isHeaderName(name) ? name : command.error(`${VARIABLE} must be ${NAME}, not "${name}"`);
  };
}
