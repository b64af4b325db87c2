/** A request as a shell command. */
import type { ReportRequest } from '../../data/data.ts';

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Headers that curl adds itself, and headers of a single connection. */
const UNNEEDED = /^(host|connection|content-length|accept-encoding|user-agent|transfer-encoding|expect)$/i;

/**
 * The request as a curl command; `null` if its details were not kept. It reads the token from the environment, because the
 * report has no token.
 */
export function curlOf({ method, details }: ReportRequest): string | null {
  if (!details) return null;
  const lines = [`curl -X ${quoted(method)} ${quoted(details.url)}`];
  for (const [name, value] of details.headers) {
    if (UNNEEDED.test(name)) continue;
    const isSecret = /^(authorization|api-token)$/i.test(name);
    const prefix = /^authorization$/i.test(name) ? 'Bearer ' : '';
    lines.push(
      isSecret
        ? `  -H ${quoted(`${name}: ${prefix}`)}"$EMAIL_PLATFORM_TOKEN"`
        : `  -H ${quoted(`${name}: ${value}`)}`,
    );
  }
  if (details.body !== null && details.body !== '') lines.push(`  --data-raw ${quoted(details.body)}`);
  return lines.join(' \\\n');
}

/** The settings of a client for the emulator, as it returns them: those that the command needs. */
export interface Settings {
  readonly token: string;
  readonly hosts: { readonly send: string };
}

/** A command that sends a first email to the emulator. It needs no variables, so that it works in every shell. */
export const firstMail = ({ token, hosts }: Settings): string =>
  `curl ${quoted(`${hosts.send}/api/send`)} \\
  -H ${quoted(`Authorization: Bearer ${token}`)} -H 'Content-Type: application/json' \\
  -d '{"from":{"email":"shop@mail.example.com"},"to":[{"email":"reader@example.com"}],"subject":"Hello","text":"It works."}'`;
