import type { ReportData } from '../../report/data.ts';

/** Writes a report, by rename: a reader finds the whole file, or the one before. */
export async function writeReport(file: string, data: ReportData): Promise<void> {
  // Imported only here, so that a bundle that contains this file still loads where there are no files.
  const { mkdir, rename, rm, writeFile } = await import('node:fs/promises');
  const { dirname } = await import('node:path');
  const { reportHtml } = await import('../../report/html.ts');
  const part = `${file}.${globalThis.process.pid}.part`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(part, await reportHtml(data));
    await rename(part, file);
  } catch (cause) {
    await rm(part, { force: true }).catch(() => undefined);
    const { message } = Object(cause) as { message?: unknown };
    throw new Error(`The report cannot be written to ${file}: ${String(message)}`, { cause });
  }
}
