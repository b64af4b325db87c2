import type { ReportData } from '../data/data.ts';
import { randomSecret } from '../../encoding/random-secret.ts';
import { isOfAnother, markOf, type Writer } from './writer.ts';

/**
 * Writes a report to a temporary file and renames it, so that readers never see a partial file. Only its owner may read it,
 * because a mail may have a link to reset a password. Says so if the file had the report of another emulator of this run.
 */
export async function writeReport(file: string, data: ReportData, writer?: Writer): Promise<void> {
  // Imported on use, so that a browser can load a bundle with this file.
  const { mkdir, readFile, rename, rm, writeFile } = await import('node:fs/promises');
  const path = await import('node:path');
  const { reportHtml } = await import('./page-html.ts');
  // The name cannot be guessed, and a file that has it is not written to: it could be a link.
  const part = `${file}.${randomSecret('')}.part`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    const mark = writer === undefined ? '' : markOf(writer);
    await writeFile(part, (await reportHtml(data)) + mark, { flag: 'wx', mode: 0o600 });
    const before = writer === undefined ? '' : await readFile(file, 'utf8').catch(() => '');
    await rename(part, file);
    if (writer !== undefined && isOfAnother(before, writer)) sayReplaced(file);
  } catch (cause) {
    await rm(part, { force: true }).catch(() => undefined);
    const { message } = Object(cause) as { message?: unknown };
    throw new Error(`The report cannot be written to ${file}: ${String(message)}`, { cause });
  }
}

function sayReplaced(file: string): void {
  // oxlint-disable-next-line no-console -- a report that is lost would not be missed
  console.warn(
    `${file}: replaced the report of another emulator of this run. Give each test file a file of its own, and join them: npx email-platform report <files> --out ${file}`,
  );
}
