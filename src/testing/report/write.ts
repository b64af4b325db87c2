import type { ReportData } from './data/data.ts';
import { randomSecret } from '../encoding/random-secret.ts';

/**
 * Writes a report to a temporary file and renames it, so that readers never see a partial file. Only its owner may read it,
 * because a mail may have a link to reset a password.
 */
export async function writeReport(file: string, data: ReportData): Promise<void> {
  // Imported on use, so that a browser can load a bundle with this file.
  const { mkdir, rename, rm, writeFile } = await import('node:fs/promises');
  const path = await import('node:path');
  const { reportHtml } = await import('./page-html.ts');
  // The name cannot be guessed, and a file that has it is not written to: it could be a link.
  const part = `${file}.${randomSecret('')}.part`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(part, await reportHtml(data), { flag: 'wx', mode: 0o600 });
    await rename(part, file);
  } catch (cause) {
    await rm(part, { force: true }).catch(() => undefined);
    const { message } = Object(cause) as { message?: unknown };
    throw new Error(`The report cannot be written to ${file}: ${String(message)}`, { cause });
  }
}
