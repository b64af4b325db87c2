import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ReportData } from '../../../src/testing/report/data/data.ts';

/** The name of a file in a folder that is removed after the test. */
export async function newFile(name = 'mails.html'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'report-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, name);
}

/** The data in the file of a report. */
export async function dataIn(file: string): Promise<ReportData> {
  const html = await readFile(file, 'utf8');
  const [, json = ''] =
    /<script type="application\/json" id="report"[^>]*>([^<]*)<\/script>/.exec(html) ?? [];
  return JSON.parse(json) as ReportData;
}
