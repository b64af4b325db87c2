/** A request as a command of a shell. */
import type { ReportRequest } from '../data.ts';

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Headers that curl writes itself, or that belong to one connection. */
const UNNEEDED = /^(host|connection|content-length|accept-encoding|user-agent|transfer-encoding|expect)$/i;

/**
 * The request as a curl command; `null` if its details were not kept. The token is that of the environment, as the report
 * has none.
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

/** Sends a first mail to the emulator that the environment names. */
export const FIRST_MAIL = `curl "$EMAIL_PLATFORM_SEND_URL/api/send" \\
  -H "Authorization: Bearer $EMAIL_PLATFORM_TOKEN" -H 'Content-Type: application/json' \\
  -d '{"from":{"email":"shop@mail.example.com"},"to":[{"email":"reader@example.com"}],"subject":"Hello","text":"It works."}'`;
