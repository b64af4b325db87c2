import type { ReportData } from '../../report/data.ts';

/** Writes a report to a temporary file and renames it, so that readers never see a partial file. */
export async function writeReport(file: string, data: ReportData): Promise<void> {
  // Imported on use, so that a browser can load a bundle with this file.
  const { mkdir, rename, rm, writeFile } = await import('node:fs/promises');
  const path = await import('node:path');
  const { reportHtml } = await import('../../report/html.ts');
  const part = `${file}.${globalThis.process.pid}.part`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(part, await reportHtml(data));
    await rename(part, file);
  } catch (cause) {
    await rm(part, { force: true }).catch(() => undefined);
    const { message } = Object(cause) as { message?: unknown };
    throw new Error(`The report cannot be written to ${file}: ${String(message)}`, { cause });
  }
}
