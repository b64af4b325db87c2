import { Readable } from 'node:stream';
import type { EmailPlatform } from 'email-platform';

/** What only Node has. */
export const attachments: EmailPlatform.Attachment[] = [
  { filename: 'a', content: Buffer.from('') },
  { filename: 'a', content: Readable.toWeb(Readable.from([])) },
  // @ts-expect-error a Node stream; only web streams are accepted
  { filename: 'a', content: Readable.from([]) },
];
