/** The emulator that wrote a report, and its process: two of one test run may write the same file. */
import { randomSecret } from '../../encoding/random-secret.ts';

/** An emulator in a process. */
export interface Writer {
  readonly id: string;
  readonly pid: number;
  /** The process of the test runner, if it starts one for each file; otherwise 0: a shell starts many programs. */
  readonly ppid: number;
}

/** An emulator of this process. Only that of a test runner has a channel to its parent, or the variable. */
export function newWriter(): Writer {
  const { pid = 0, ppid = 0, send, env } = Object(globalThis.process) as Partial<NodeJS.Process>;
  return { id: randomSecret(''), pid, ppid: (send ?? env?.NODE_TEST_CONTEXT) === undefined ? 0 : ppid };
}

const MARK = /<!-- written by emulator ([\w-]{1,100}) (\d{1,20}) (\d{1,20}) -->\s*$/;

/** The end of a report's file, which names its writer. */
export const markOf = ({ id, pid, ppid }: Writer): string =>
  `<!-- written by emulator ${id} ${pid} ${ppid} -->\n`;

/** Whether a file was written by another emulator of the same run. */
export function isOfAnother(html: string, writer: Writer): boolean {
  const [, id, pid, ppid] = MARK.exec(html.slice(-300)) ?? [];
  if (id === undefined || id === writer.id) return false;
  return Number(pid) === writer.pid || (writer.ppid > 1 && Number(ppid) === writer.ppid);
}
