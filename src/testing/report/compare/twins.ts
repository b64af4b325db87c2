/** Runs that send the same data to the same recipients: whatever their emails differ in is a change, also a name. */
import { grouped } from '../../../kit/grouped.ts';
import type { ComparedPart, ReadMail } from './parts.ts';
import type { Side } from './side.ts';

/** The email of one run and that of the other to the same recipient. */
export interface Twins {
  readonly before: ReadMail;
  readonly after: ReadMail;
}

/** The fewest equal values that show that two runs have the same data. */
const LEAST = 3;

/** The twins of two runs, if two thirds of the values that vary from email to email are the same; else none. */
export function twinsOf(
  earlier: readonly ReadMail[],
  later: readonly ReadMail[],
  sides: readonly Side[],
): readonly Twins[] {
  const byRecipient = grouped(later, ({ mail }) => [mail.to]);
  const twins = earlier.flatMap((before): Twins[] => {
    const after = byRecipient.get(before.mail.to)?.shift();
    return after === undefined ? [] : [{ before, after }];
  });
  if (twins.length < Math.max(2, earlier.length, later.length)) return [];
  let [same, all] = [0, 0];
  for (const side of sides) {
    const values = side.values();
    for (const { before, after } of twins) {
      const text = joined(after.parts[side.part].keys);
      const own = before.parts[side.part].blocks.flatMap(({ key }) => values.get(key) ?? []);
      all += own.length;
      same += own.filter((value) => text.includes(joined(value))).length;
    }
  }
  return same >= LEAST && same * 3 >= all * 2 ? twins : [];
}

const joined = (keys: readonly string[]) => `\u0003${keys.join('\u0003')}\u0003`;

/** Whether two emails differ in a part, but for the order of its lines and rows. */
export function differ({ before, after }: Twins, part: ComparedPart): boolean {
  const [left, right] = [before, after].map((mail) =>
    joined(mail.parts[part].blocks.map(({ key }) => key).sort()),
  );
  return left !== right;
}
